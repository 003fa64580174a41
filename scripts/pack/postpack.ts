import { putOwnManifest } from './packedManifest.ts'

/** What `npm pack` does last. */
putOwnManifest()
