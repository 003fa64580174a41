import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { capture } from './capture.mjs'
import { CommandError } from './commandError.mjs'
import { contentHash } from './contentHash.mjs'
import { withLock } from './lock.mjs'
import { cacheFolder, root } from './paths.mjs'

const dist = join(root, 'dist')
const stamp = join('.vite', 'inputs.sha256')

/** All that a build depends on, relative to the project's folder. */
const inputs = [
  'src',
  'i18n',
  'public',
  'index.html',
  'vite.config.ts',
  'tsconfig.json',
  'package.json',
  'package-lock.json',
  join('scripts', 'build'),
]

/**
 * Builds the console into dist/ unless it was built from exactly these sources. A build happens in a folder of its own
 * and takes the name dist in the end, its stamp inside: a half-built dist cannot come about.
 *
 * @param {string} node the Node to build with
 */
export async function ensureBuilt(node) {
  if (isBuilt()) return
  await withLock(
    join(cacheFolder, 'build.lock'),
    { onWait: () => console.log('Waiting for another command that builds the console ...') },
    async (noteProcess) => {
      if (isBuilt()) return
      console.log('Building the console ...')
      removeRemains()
      const hash = currentHash()
      const fresh = join(cacheFolder, `build-${process.pid}`)
      await viteBuild(node, fresh, noteProcess)
      mkdirSync(join(fresh, '.vite'), { recursive: true })
      writeFileSync(join(fresh, stamp), hash)
      if (existsSync(dist)) renameSync(dist, join(cacheFolder, `old-${process.pid}`))
      renameSync(fresh, dist)
      removeRemains()
    },
  )
}

function currentHash() {
  return contentHash(root, inputs)
}

function isBuilt() {
  const file = join(dist, stamp)
  return existsSync(file) && readFileSync(file, 'utf8') === currentHash()
}

/** Under the lock nobody else builds: what lies there was left by a command that was killed. */
function removeRemains() {
  for (const name of readdirSync(cacheFolder)) {
    if (/^(build|old)-\d+$/.test(name)) rmSync(join(cacheFolder, name), { recursive: true, force: true })
  }
}

/**
 * @param {string} node
 * @param {string} outDir
 * @param {(pid: number) => void} onSpawn
 */
async function viteBuild(node, outDir, onSpawn) {
  const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js')
  const args = [vite, 'build', '--logLevel', 'warn', '--outDir', outDir, '--emptyOutDir']
  // Whoever builds, as a test or a bench: React has its development build else.
  const env = { ...process.env, NODE_ENV: 'production' }
  const { code, output } = await capture(node, args, { env, onSpawn })
  if (code === 0) return
  throw new CommandError(`${output.trimEnd()}\nBuilding the console failed; dist/ was left as it was.`)
}
