/**
 * Imported before everything else, because the size is read when the first thread is needed. By default Node has four
 * threads for files, passwords and DNS lookups together: four lookups without an answer would block everything else.
 */
process.env.UV_THREADPOOL_SIZE ??= '16'
