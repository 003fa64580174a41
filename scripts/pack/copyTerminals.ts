import { cpSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { npm } from '../bootstrap/install.mjs'
import { cacheFolder, nodeModules, root } from '../bootstrap/paths.mjs'
import { terminalPackage } from './bundleServer.ts'

/** Where programs for other systems are fetched to, which npm leaves out of node_modules here. */
const fetched = join(cacheFolder, 'terminals')

interface Lock {
  packages: Record<string, { version?: string; integrity?: string; optionalDependencies?: Record<string, string> }>
}

const readLock = (path: string): Lock => JSON.parse(readFileSync(path, 'utf8'))

/**
 * Lays the package for terminals into `folder` as `node_modules`, with its programs for every system: so the packed
 * file asks no registry for anything, and may be installed elsewhere than where it was made.
 * @returns the systems whose program could not be had, such as `darwin-arm64`
 */
export async function copyTerminals(folder: string): Promise<string[]> {
  const { packages } = readLock(join(root, 'package-lock.json'))
  const programs = packages[`node_modules/${terminalPackage}`]?.optionalDependencies ?? {}
  const isHere = (name: string) => existsSync(join(nodeModules, name))
  const elsewhere = Object.keys(programs).filter((name) => !isHere(name))
  const isGenuine = (name: string) => {
    const path = `node_modules/${name}`
    const record = join(fetched, 'node_modules', '.package-lock.json')
    const found = existsSync(record) ? readLock(record).packages[path]?.integrity : undefined
    return found !== undefined && found === packages[path]?.integrity
  }
  if (!elsewhere.every(isGenuine)) await fetchPackages(elsewhere.map((name) => `${name}@${programs[name]}`))

  const target = join(folder, 'node_modules')
  const had = elsewhere.filter(isGenuine)
  for (const name of [terminalPackage, ...Object.keys(programs).filter(isHere)]) lay(join(nodeModules, name), name)
  for (const name of had) lay(join(fetched, 'node_modules', name), name)
  return elsewhere.filter((name) => !had.includes(name)).map((name) => name.slice(terminalPackage.length + 1))

  /** Leaves out files for debuggers (`.pdb`), which are nine tenths of the package for Windows. */
  function lay(source: string, name: string): void {
    cpSync(source, join(target, name), { recursive: true, filter: (path) => !path.endsWith('.pdb') })
  }
}

/** Forced, because they are for other systems; what comes is compared with the lockfile afterwards. */
async function fetchPackages(specs: readonly string[]): Promise<void> {
  rmSync(fetched, { recursive: true, force: true })
  mkdirSync(fetched, { recursive: true })
  const options = ['--prefix', fetched, '--force', '--ignore-scripts', '--no-audit', '--no-fund', '--fetch-retries=0']
  await npm(['install', ...options, ...specs])
}
