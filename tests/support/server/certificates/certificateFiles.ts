import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '../temporaryFolder.ts'
import { selfSigned } from './selfSigned.ts'

/** A certificate and its key as files, for `TLS_CERT` and `TLS_KEY`. */
export function certificateFiles({ cert, key } = selfSigned): { cert: string; key: string } {
  const folder = temporaryFolder()
  const files = { cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') }
  writeFileSync(files.cert, cert)
  writeFileSync(files.key, key)
  return files
}
