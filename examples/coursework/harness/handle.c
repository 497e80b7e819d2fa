/* Of the start files, which are left out so that no code runs at load, libc's own objects want this one name. */
extern void *__dso_handle __attribute__((visibility("hidden")));
void *__dso_handle = &__dso_handle;
