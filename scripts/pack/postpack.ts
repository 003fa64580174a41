import { readArguments } from '../bootstrap/arguments.mjs'
import { putOwnManifest } from './packedManifest.ts'

readArguments({
  name: 'npm run postpack --',
  description: 'What npm pack does last: puts the package.json of the project back.',
})
putOwnManifest()
