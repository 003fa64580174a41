/// <reference types="vite/client" />

/** The console's own version, from package.json; put in by the build and by the test configuration. */
declare const __APP_VERSION__: string

/** Loaded for what they do: each adds its language to the library. */
declare module 'cronstrue/locales/*.js'
