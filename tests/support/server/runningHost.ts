import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Host } from '../../../server/machines/hosts/host.ts'
import { createLocalFiles } from '../../../server/machines/hosts/local/files/localFiles.ts'
import { createLocalHost } from '../../../server/machines/hosts/local/localHost.ts'
import { createShells } from '../../../server/machines/hosts/local/shell/shells.ts'
import { temporaryFolder } from './temporaryFolder.ts'

export interface RunningHost extends Host {
  /** Its home: commands run here, and its settings are in `config.json`. */
  folder: string
}

/**
 * A machine that really runs, beside this one: it has metrics, settings, a shell and files of its own, and shares only
 * the kernel. It is stopped when the test is over.
 */
export function startRunningHost({ uuid, name }: { uuid: string; name: string }): RunningHost {
  const folder = temporaryFolder()
  const file = join(folder, 'config.json')
  const host = createLocalHost({
    uuid,
    version: '1.2.3',
    intervalMs: 50,
    configStore: {
      // Looking for graphics processors starts five programs.
      read: () => (existsSync(file) ? readFileSync(file, 'utf8') : '{"gpu":false}'),
      write: (text) => writeFileSync(file, text),
    },
    onError: (error) => {
      throw error
    },
  })
  const shells = createShells(folder)
  onTestFinished(async () => {
    await shells.killAll()
    await host.stop()
  })
  return {
    ...host,
    folder,
    name: () => name,
    openShell: shells.open,
    files: createLocalFiles(folder),
    run: (command, options) => host.run(`export HOME='${folder}'; cd "$HOME" || exit 1\n${command}`, options),
  }
}
