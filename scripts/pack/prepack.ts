import { readArguments } from '../bootstrap/arguments.mjs'
import { ensureBuilt } from '../bootstrap/build.mjs'
import { runMain } from '../bootstrap/commandError.mjs'
import { binFolder, bundleServer } from './bundleServer.ts'
import { copyTerminals } from './copyTerminals.ts'
import { putOwnManifest, putPackedManifest } from './packedManifest.ts'

readArguments({
  name: 'npm run prepack --',
  description: `What npm pack does first: makes everything that the packed file will hold, and writes its package.json.
Call npm pack instead, which also cleans up afterwards.`,
})

await runMain(async () => {
  putOwnManifest()
  await ensureBuilt(process.execPath)
  await bundleServer()
  const missing = await copyTerminals(binFolder)
  if (missing.length > 0) {
    console.warn(
      `Warning: the registry could not be asked, so the file will have no terminals on ${missing.join(', ')}.`,
    )
  }
  putPackedManifest()
  return 0
})
