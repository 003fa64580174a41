import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Keeps the settings of a machine that really runs, in `config.json` of its folder. */
export function configFileIn(folder: string) {
  const file = join(folder, 'config.json')
  return {
    read: () => (existsSync(file) ? readFileSync(file, 'utf8') : undefined),
    write: (text: string) => writeFileSync(file, text),
  }
}
