import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { encodeListRequest } from '../../../src/schemas/frames/file.ts'
import type { Site } from '../console/visit.ts'
import { openBareSession } from './bareSession.ts'
import type { Report } from './budgets.ts'
import { openFilesPage } from './filesPage.ts'

const entries = 5000
const rounds = 7

/** How soon a long folder is on screen. */
export async function measureFolder(site: Site, folder: string, report: Report): Promise<void> {
  const path = join(folder, 'many')
  mkdirSync(path)
  for (let number = 1; number <= entries; number += 1) writeFileSync(join(path, `report-${number}.log`), '')

  const page = await openFilesPage(site, `(${noteReplies})()`)
  await page.goTo(folder)
  const afterReply: number[] = []
  const whole: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    const shown = { selector: '[role=grid] [role=row]', holds: 'report-1.log' }
    const took = await page.time('click', shown, () => page.click('[role=row]:has([title=many])'))
    const waited = await page.evaluate<number>('moments.replied - moments.started')
    whole.push(took)
    afterReply.push(took - waited)
    await page.goTo(folder)
  }
  await page.close()

  const session = await openBareSession(site, 'file')
  const bare: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    bare.push(
      await session.exchange(
        () => session.socket.send(encodeListRequest(path)),
        () => true,
      ),
    )
  }
  session.close()
  report.add('folderMs', afterReply)
  report.add('listMs', whole)
  report.add('listMs', bare, 'bare client')
}

/** Runs in the page before everything else: notes when it was clicked, and when its worker had a list for it. */
function noteReplies(): void {
  const moments = { started: 0, replied: 0 }
  Object.assign(window, { moments })
  addEventListener('click', ({ timeStamp }) => (moments.started = timeStamp), { capture: true })
  const Native = Worker
  window.Worker = class extends Native {
    constructor(...args: ConstructorParameters<typeof Worker>) {
      super(...args)
      this.addEventListener('message', ({ data, timeStamp }) => {
        if (data?.type === 'listed') moments.replied = timeStamp
      })
    }
  }
}
