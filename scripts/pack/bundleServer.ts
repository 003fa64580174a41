import { join } from 'node:path'
import { build } from 'vite'
import { root } from '../bootstrap/paths.mjs'

/** What stays a package: it comes with programs for each system, and finds them from where it lies. */
export const terminalPackage = '@lydell/node-pty'

/** The bundled server lies right below the package's folder as `server` does, so that both find `dist` beside it. */
export const binFolder = join(root, 'bin')

/**
 * Makes JavaScript of the server and of all it needs, `bin/wheelhouse.js`, because Node runs no TypeScript below
 * `node_modules`. The licences of what went in lie beside it.
 */
export async function bundleServer(): Promise<void> {
  await build({
    root,
    configFile: false,
    publicDir: false,
    logLevel: 'warn',
    ssr: { noExternal: true, external: [terminalPackage] },
    build: {
      ssr: true,
      outDir: binFolder,
      emptyOutDir: true,
      target: 'node24',
      // What operators send in when something fails should name places that can be found.
      minify: false,
      license: { fileName: 'licenses.md' },
      rolldownOptions: {
        // The others are started as processes and threads of their own.
        input: {
          wheelhouse: 'server/cli.ts',
          backupProcess: 'server/db/backupProcess.ts',
          importProcess: 'server/imports/importProcess.ts',
          bcryptThread: 'server/auth/passwords/bcryptThread.ts',
          watchdogThread: 'server/start/watchdogThread.ts',
        },
        output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
      },
    },
  })
}
