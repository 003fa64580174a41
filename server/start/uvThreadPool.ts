/**
 * Imported before everything else, for the threads are counted when the first is needed. Node has four for files,
 * passwords and names together; four names whose resolver is silent would hold up everybody.
 */
process.env.UV_THREADPOOL_SIZE ??= '16'
