//! the locklens JVMTI agent.
