import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, join, sep } from 'node:path'
import { capture } from './capture.mjs'
import { CommandError } from './commandError.mjs'
import { contentHash } from './contentHash.mjs'
import { lockMatchesInstalled } from './installedLock.mjs'
import { withLock } from './lock.mjs'
import { explainNpm } from './npmFailure.mjs'
import { cacheFolder, nodeModules, root } from './paths.mjs'
import { canStart, ownNode } from './privateNode.mjs'

const stampFile = join(nodeModules, '.wheelhouse-installed')
const logFile = join(cacheFolder, 'install.log')

/** Installs the packages of the lockfile unless exactly those are there already. */
export async function ensureInstalled() {
  if (isInstalled()) return
  await withLock(
    join(cacheFolder, 'install.lock'),
    { onWait: () => console.log('Waiting for another command that installs packages ...') },
    async (noteProcess) => {
      if (isInstalled()) return
      const first = !existsSync(nodeModules)
      console.log(first ? 'Installing packages (first start, about a minute) ...' : 'Updating packages ...')
      rmSync(stampFile, { force: true })
      await npmCi(noteProcess)
      hideBrokenNode()
      writeFileSync(stampFile, currentHash())
    },
  )
}

function currentHash() {
  return `${contentHash(root, ['package-lock.json'])} ${process.platform}-${process.arch}`
}

/** The stamp is written after success only; without one, npm's own record of a finished install is believed. */
function isInstalled() {
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === currentHash()) return true
  if (!lockMatchesInstalled(join(root, 'package-lock.json'), join(nodeModules, '.package-lock.json'))) return false
  writeFileSync(stampFile, currentHash())
  return true
}

/** @param {(pid: number) => void} noteProcess */
async function npmCi(noteProcess) {
  // No package here needs an install script, so none gets to run one. An old Node in front is fine: it only installs.
  const options = ['ci', '--include=dev', '--include=optional', '--ignore-scripts', '--engine-strict=false']
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error', '--fetch-retry-mintimeout=2000']
  const { code, output } = await npm([...options, ...quiet, '--fetch-retry-maxtimeout=10000'], noteProcess)
  if (code === 0) return
  mkdirSync(cacheFolder, { recursive: true })
  writeFileSync(logFile, output)
  throw new CommandError(`${explainNpm(output)} (npm's own words: .cache${sep}install.log)`)
}

/**
 * Runs npm quietly: the one that runs this script, else the one on the PATH.
 *
 * @param {string[]} args
 * @param {(pid: number) => void} [onSpawn]
 */
export async function npm(args, onSpawn) {
  const { npm_execpath: script, npm_node_execpath: node, PATH = '', ...rest } = process.env
  // Inside a script, npm puts node_modules/.bin first; the Node there is about to be replaced.
  const path = PATH.split(delimiter).filter((folder) => !folder.endsWith(join('node_modules', '.bin')))
  const env = { ...rest, PATH: path.join(delimiter) }
  if (script?.endsWith('npm-cli.js') && node && existsSync(node)) {
    return capture(node, [script, ...args], { env, onSpawn })
  }
  try {
    return await capture('npm', args, { env, onSpawn, shell: process.platform === 'win32' })
  } catch {
    throw new CommandError('Installing packages failed: npm was not found. Install Node 20 or newer together with npm.')
  }
}

/** npm puts node_modules/.bin first in scripts: a Node there that does not start would break the next command. */
function hideBrokenNode() {
  const node = ownNode()
  if (node && !canStart(node)) rmSync(join(nodeModules, '.bin', 'node'), { force: true })
}
