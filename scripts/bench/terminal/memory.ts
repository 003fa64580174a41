import { execFileSync } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Site } from '../console/visit.ts'
import type { Report } from './budgets.ts'
import { type FilesPage, openFilesPage, toasts } from './filesPage.ts'
import { writeLarge } from './transfers.ts'

const size = 2 ** 30
const lookEveryMs = 100

/** What a download of 1 GiB takes of the page's memory, whatever its workers take included. */
export async function measureMemory(site: Site, folder: string, report: Report): Promise<void> {
  await writeLarge(join(folder, 'huge.bin'), size)
  const page = await openFilesPage(site)
  await page.goTo(folder)
  const pid = await processOf(page)
  await page.page('HeapProfiler.collectGarbage')
  const before = residentOf(pid)
  const most = { heap: 0, resident: 0 }
  let isDone = false
  const shown = { selector: toasts, holds: 'Downloaded: huge.bin' }
  const done = page
    .time('click', shown, () => page.click('[aria-label="Download huge.bin"]'))
    .then(() => {
      isDone = true
    })
  while (!isDone) {
    const { usedSize } = await page.page<{ usedSize: number }>('Runtime.getHeapUsage')
    most.heap = Math.max(most.heap, usedSize / 2 ** 20)
    most.resident = Math.max(most.resident, residentOf(pid))
    await new Promise((resolve) => setTimeout(resolve, lookEveryMs))
  }
  await done
  report.add('heapMiB', most.heap)
  report.add('memoryMiB', most.resident - before)
  await page.close()
  await rm(join(folder, 'huge.bin'))
}

/** The process that works while the page does; spare ones only wait. */
async function processOf(page: FilesPage): Promise<number> {
  type Process = { id: number; type: string; cpuTime: number }
  const times = async () => {
    const { processInfo } = await page.browser<{ processInfo: Process[] }>('SystemInfo.getProcessInfo')
    return new Map(processInfo.filter(({ type }) => type === 'renderer').map(({ id, cpuTime }) => [id, cpuTime]))
  }
  const before = await times()
  await page.evaluate('for (const until = performance.now() + 500; performance.now() < until; );')
  const worked = [...(await times())].map(([id, time]) => ({ id, time: time - (before.get(id) ?? 0) }))
  const [busiest] = worked.toSorted((a, b) => b.time - a.time)
  if (!busiest) throw new Error('The browser names no process of its page.')
  return busiest.id
}

/** Memory of a process, in MiB. */
const residentOf = (pid: number) =>
  Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) / 1024
