/*
 * What the methods of some classes consist of at this moment, rewritten or not: an agent that is loaded, writes a line "class.method length" for
 * each into a file, and does nothing else. Options: the file, a blank, how the signatures of the classes begin.
 */
#include <jvmti.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void methods(jvmtiEnv *jvmti, jclass class, const char *signature, FILE *out) {
    jint count = 0;
    jmethodID *all = NULL;
    if ((*jvmti)->GetClassMethods(jvmti, class, &count, &all) != JVMTI_ERROR_NONE) {
        return;
    }
    for (jint i = 0; i < count; i++) {
        char *name = NULL;
        jint length = 0;
        unsigned char *code = NULL;
        if ((*jvmti)->GetMethodName(jvmti, all[i], &name, NULL, NULL) != JVMTI_ERROR_NONE) {
            continue;
        }
        if ((*jvmti)->GetBytecodes(jvmti, all[i], &length, &code) == JVMTI_ERROR_NONE) {
            fprintf(out, "%s.%s %d\n", signature, name, (int)length);
            (*jvmti)->Deallocate(jvmti, code);
        }
        (*jvmti)->Deallocate(jvmti, (unsigned char *)name);
    }
    (*jvmti)->Deallocate(jvmti, (unsigned char *)all);
}

static void classes(jvmtiEnv *jvmti, JNIEnv *jni, const char *prefix, FILE *out) {
    jint count = 0;
    jclass *all = NULL;
    if ((*jvmti)->GetLoadedClasses(jvmti, &count, &all) != JVMTI_ERROR_NONE) {
        return;
    }
    for (jint i = 0; i < count; i++) {
        char *signature = NULL;
        if ((*jvmti)->GetClassSignature(jvmti, all[i], &signature, NULL) == JVMTI_ERROR_NONE) {
            if (strncmp(signature, prefix, strlen(prefix)) == 0) {
                methods(jvmti, all[i], signature, out);
            }
            (*jvmti)->Deallocate(jvmti, (unsigned char *)signature);
        }
        (*jni)->DeleteLocalRef(jni, all[i]);
    }
    (*jvmti)->Deallocate(jvmti, (unsigned char *)all);
}

JNIEXPORT jint JNICALL Agent_OnAttach(JavaVM *vm, char *options, void *reserved) {
    (void)reserved;
    jvmtiEnv *jvmti = NULL;
    JNIEnv *jni = NULL;
    char *prefix = strchr(options, ' ');
    if (prefix == NULL || (*vm)->GetEnv(vm, (void **)&jni, JNI_VERSION_1_6) != JNI_OK ||
        (*vm)->GetEnv(vm, (void **)&jvmti, JVMTI_VERSION_1_2) != JNI_OK) {
        return 1;
    }
    jvmtiCapabilities wanted;
    memset(&wanted, 0, sizeof wanted);
    wanted.can_get_bytecodes = 1;
    *prefix++ = 0;
    FILE *out = fopen(options, "w");
    if (out == NULL || (*jvmti)->AddCapabilities(jvmti, &wanted) != JVMTI_ERROR_NONE) {
        return 2;
    }
    classes(jvmti, jni, prefix, out);
    (*jvmti)->DisposeEnvironment(jvmti);
    return fclose(out) == 0 ? 0 : 3;
}
