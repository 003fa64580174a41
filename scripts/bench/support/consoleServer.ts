import { once } from 'node:events'
import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import react from '@vitejs/plugin-react'
import { build } from 'vite'
import { selfSigned } from '../../../tests/support/server/certificates/selfSigned.ts'
import { ensureBuilt } from '../../bootstrap/build.mjs'
import { root } from '../../bootstrap/paths.mjs'
import { precompress } from '../../build/precompress.ts'
import type { ServeOptions } from './serveConsole.ts'

/** The build and the least page in a folder of their own, so that both are served the same way. */
export interface Pages {
  folder: string
  /** Starts a server with these pages. `thread` is where it works, `address` as `http://127.0.0.1:<port>`. */
  serve(
    options: Omit<ServeOptions, 'dist' | 'tls'> & { hasTls?: boolean },
  ): Promise<{ address: string; thread: Worker }>
  /** Ends the servers and removes the folder. */
  remove(): Promise<void>
}

/** @param isPlain whether the files have no compressed forms, as inside a Nezha server */
export async function preparePages(isPlain = false): Promise<Pages> {
  await ensureBuilt(process.execPath)
  const folder = mkdtempSync(join(tmpdir(), 'wheelhouse-bench-pages-'))
  await build({
    configFile: false,
    root: join(import.meta.dirname, '..', 'leastPage'),
    base: '/dashboard/',
    logLevel: 'warn',
    plugins: [react(), precompress()],
    build: { outDir: folder, emptyOutDir: true, rolldownOptions: { input: 'leastPage.html' } },
  })
  cpSync(join(root, 'dist'), folder, { recursive: true })
  for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (isPlain && /\.(br|gz)$/.test(file)) rmSync(join(folder, file))
  }
  const tls = { cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') }
  writeFileSync(tls.cert, selfSigned.cert)
  writeFileSync(tls.key, selfSigned.key)
  const threads: Worker[] = []
  return {
    folder,
    async serve({ hasTls, ...options }) {
      const workerData: ServeOptions = { ...options, dist: folder, tls: hasTls ? tls : undefined }
      const thread = new Worker(new URL('serveConsole.ts', import.meta.url), { workerData })
      threads.push(thread)
      const [address] = (await once(thread, 'message')) as [string]
      return { address, thread }
    },
    async remove() {
      await Promise.all(threads.map((thread) => thread.terminate()))
      rmSync(folder, { recursive: true })
    },
  }
}
