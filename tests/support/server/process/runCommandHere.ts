import { Console } from 'node:console'
import { Writable } from 'node:stream'
import { runCommand } from '../../../../server/commands/run.ts'
import { logOn } from '../../../../server/log.ts'
import type { Finished } from './runCli.ts'
import { storeSettings } from './storeSettings.ts'

/**
 * Runs `wheelhouse <args>` with these settings and no others as `runCli` does, but within this process, which has its
 * modules: for tests that are not about how a process takes arguments and ends.
 */
export async function runCommandHere(
  [name = '', ...args]: readonly string[],
  settings: Record<string, string> = {},
): Promise<Finished> {
  const [stdout, stderr] = [collector(), collector()]
  const log = logOn(new Console(stdout.stream, stderr.stream))
  const code = await runCommand(name, args, { log, env: await storeSettings(settings) })
  return { code, stdout: stdout.text(), stderr: stderr.text() }
}

function collector(): { stream: Writable; text(): string } {
  let all = ''
  const stream = new Writable({
    write(chunk, _encoding, done) {
      all += chunk
      done()
    },
  })
  return { stream, text: () => all }
}
