import { ensureBuilt } from '../bootstrap/build.mjs'
import { runMain } from '../bootstrap/commandError.mjs'
import { binFolder, bundleServer } from './bundleServer.ts'
import { layTerminals } from './layTerminals.ts'
import { putOwnManifest, putPackedManifest } from './packedManifest.ts'

/** What `npm pack` does first: everything that the file will hold is made, and its package.json laid out. */
await runMain(async () => {
  putOwnManifest()
  await ensureBuilt(process.execPath)
  await bundleServer()
  const missing = await layTerminals(binFolder)
  if (missing.length > 0) {
    console.warn(
      `Warning: the registry could not be asked, so the file will have no terminals on ${missing.join(', ')}.`,
    )
  }
  putPackedManifest()
  return 0
})
