import { readFileSync } from 'node:fs'
import { createSecureContext } from 'node:tls'
import { errorMessage } from '../../src/domain/errors.ts'
import { type Log, StartError } from '../log.ts'

/** Paths of two files in PEM: the certificate with those that lead to its root, and its private key. */
export interface TlsFiles {
  cert: string
  key: string
}

/** A certificate and its key, as PEM. */
export interface TlsCertificate {
  cert: string
  key: string
}

/** Milliseconds between two looks at the files. */
const checkMs = 10_000

/** @throws Error when a file cannot be read or both do not belong together */
function readCertificate(files: TlsFiles): TlsCertificate {
  const certificate = { cert: readFileSync(files.cert, 'utf8'), key: readFileSync(files.key, 'utf8') }
  createSecureContext(certificate)
  return certificate
}

/** @throws StartError with a sentence for the operator */
export function readFirstCertificate(files: TlsFiles): TlsCertificate {
  try {
    return readCertificate(files)
  } catch (error) {
    throw new StartError(
      `TLS_CERT is ${files.cert} and TLS_KEY is ${files.key} (${errorMessage(error)}): set both to files in PEM ` +
        'that belong together and that this user can read.',
      { cause: error },
    )
  }
}

/**
 * Reads the files again when they have changed: certificates are renewed while the server runs. Files that do not
 * belong together, as while they are being replaced, change nothing; when they stay so, the operator is warned once.
 * @param onChange gets what is new
 * @returns a function that ends it
 */
export function watchCertificate(
  files: TlsFiles,
  first: TlsCertificate,
  { onChange, log, everyMs = checkMs }: { onChange(certificate: TlsCertificate): void; log: Log; everyMs?: number },
): () => void {
  let current = first
  let failures = 0
  const timer = setInterval(() => {
    try {
      const next = readCertificate(files)
      failures = 0
      if (next.cert === current.cert && next.key === current.key) return
      current = next
      onChange(next)
      log.info(`The certificate ${files.cert} has changed: new connections get the new one.`)
    } catch (error) {
      failures++
      if (failures !== 2) return
      log.warn(`The certificate ${files.cert} cannot be used, and the one from before stays: ${errorMessage(error)}`)
    }
  }, everyMs)
  timer.unref()
  return () => clearInterval(timer)
}
