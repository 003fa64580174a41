import { cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { npm } from '../../../scripts/bootstrap/install.mjs'
import { withLock } from '../../../scripts/bootstrap/lock.mjs'
import { cacheFolder } from '../../../scripts/bootstrap/paths.mjs'

/**
 * Fetches packages that only some tests need, once for all runs.
 * @param name of the folder in the cache
 * @param manifest the folder with their `package.json` and `package-lock.json`
 * @param needed the package that has to be there
 * @returns the folder of that package
 */
export async function fetchPackage(name: string, manifest: string, needed: string): Promise<string> {
  const folder = join(cacheFolder, name)
  const installed = join(folder, 'node_modules', ...needed.split('/'))
  const lock = readFileSync(join(manifest, 'package-lock.json'), 'utf8')
  const isThere = () => existsSync(installed) && readFileSync(join(folder, 'package-lock.json'), 'utf8') === lock
  await withLock(join(cacheFolder, `${name}.lock`), {}, async (noteProcess) => {
    if (isThere()) return
    mkdirSync(folder, { recursive: true })
    for (const file of ['package.json', 'package-lock.json']) cpSync(join(manifest, file), join(folder, file))
    const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
    const { output } = await npm(['ci', '--prefix', folder, ...options], noteProcess)
    if (!isThere()) throw new Error(`${needed} for the tests could not be fetched. ${output}`)
  })
  return installed
}
