//! When the writer looks at parked threads, and what it does with what was seen.

use super::LastLook;
use super::stood::Standing;
use crate::writer::Writer;

impl Writer<'_> {
    /// Looks at parked threads, if it is time.
    pub(in crate::writer) fn look_at_parked(&mut self) {
        if let Some(sampler) = &mut self.sampler {
            sampler.go_on(&mut self.output);
        }
        self.tell_stood();
    }

    /// Probes have come: looks at once who was parked already.
    pub(in crate::writer) fn look_at_stood(&mut self) {
        if let (Some(exact), Some(sampler)) = (&self.exact, &mut self.sampler) {
            sampler.standing = Some(Standing::new(exact.since()));
            sampler.look(&mut self.output);
        }
        self.tell_stood();
    }

    /// What has been seen of those goes to where parks are laid side by side.
    fn tell_stood(&mut self) {
        let standing = self.sampler.as_mut().and_then(|s| s.standing.as_mut());
        let stood = standing.and_then(Standing::take);
        if let (Some(stood), Some(exact)) = (stood, &mut self.exact) {
            exact.note_stood(stood);
        }
    }

    /// The recording was asked to end: looks a last time.
    pub(in crate::writer) fn look_at_parked_last(&mut self) -> LastLook {
        let last = match &mut self.sampler {
            Some(sampler) => sampler.look_last(&mut self.output),
            None => LastLook::default(),
        };
        self.tell_stood();
        last
    }

    /// No more looks. `open` if there was a last one.
    pub(in crate::writer) fn end_parked(&mut self, open: bool) {
        if let Some(sampler) = self.sampler.take() {
            sampler.finish(&mut self.output, open);
        }
    }
}
