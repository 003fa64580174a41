import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { cacheFolder, root } from '../bootstrap/paths.mjs'

type Manifest = Readonly<Record<string, unknown>>

const manifest = join(root, 'package.json')
const ownManifest = join(cacheFolder, 'package.json.own')

/**
 * The package.json of the packed file: of what the project needs, the built console and the bundled server need
 * nothing. Scripts and development packages may stay, for npm passes over them in a package that it installs.
 */
function packedManifest(own: Manifest): Manifest {
  return {
    ...own,
    engines: { node: '>=24.7' },
    bin: { wheelhouse: 'bin/wheelhouse.js' },
    files: [
      'bin',
      'dist',
      // Notes of the build for tests and for the next build.
      '!dist/.vite/manifest.json*',
      '!dist/.vite/inputs.sha256',
      // What the server says.
      ...['acknowledge', 'alert-rule', 'blocked', 'checks', 'feed', 'messages', 'names', 'shell', 'status'].map(
        (file) => `i18n/*/${file}.json`,
      ),
      'docs/guides/backup.md',
      'docs/guides/deploy.md',
      'docs/guides/oauth2.md',
      'CHANGELOG.md',
    ],
    // All of it was bundled.
    dependencies: {},
    optionalDependencies: {},
  }
}

/** Lays the packed manifest in the place of the project's own until `putOwnManifest`: npm reads it from there only. */
export function putPackedManifest(): void {
  // One that a killed `npm pack` left.
  putOwnManifest()
  mkdirSync(cacheFolder, { recursive: true })
  const packed = packedManifest(JSON.parse(readFileSync(manifest, 'utf8')))
  const next = join(cacheFolder, 'package.json.packed')
  writeFileSync(next, `${JSON.stringify(packed, undefined, 2)}\n`)
  copyFileSync(manifest, ownManifest)
  renameSync(next, manifest)
}

/** Puts the project's own manifest back, byte by byte, if the packed one is in its place. */
export function putOwnManifest(): void {
  if (!existsSync(ownManifest)) return
  const isPacked = JSON.parse(readFileSync(manifest, 'utf8')).bin !== undefined
  // Else somebody has put it back already, and may have changed it since.
  if (isPacked) copyFileSync(ownManifest, manifest)
  rmSync(ownManifest)
}
