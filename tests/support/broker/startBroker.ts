import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { onTestFinished } from 'vitest'
import { fetchPackage } from '../fetched/fetchPackage.ts'

/** Starts an MQTT broker (aedes), which ends with the test. @returns its port; see `runBroker.ts` for what it knows */
export async function startBroker(): Promise<number> {
  const installed = await fetchPackage('broker', import.meta.dirname, 'aedes')
  const main = createRequire(join(installed, 'package.json')).resolve('aedes')
  const args = [join(import.meta.dirname, 'runBroker.ts'), main]
  const running = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  onTestFinished(() => void running.stdin.end())
  const [line] = await once(createInterface(running.stdout), 'line')
  return Number(line)
}
