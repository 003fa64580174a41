import { createHash } from 'node:crypto'
import { createReadStream, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { openFilePanel } from '../../support/console/filePanel.ts'
import { expect, signIn, test } from '../../support/journeys/journey.ts'

/** Many times what is under way at a time. The server's own tests move more: here the browser takes a tenth of a second for each. */
const megabytes = 64
/** A disk may be slow, and the tool that drives the browser looks at every byte. */
const patience = 120_000

test('a large file is downloaded and uploaded without a changed byte', async ({ page, context }) => {
  test.setTimeout(2 * patience)
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'wheelhouse-e2e-files-')))
  try {
    const source = join(folder, 'large.bin')
    await writeBlocks(source)
    const hash = await hashOf(source)
    await signIn(context)
    const files = await openFilePanel(page)
    await files.goTo(folder)
    const saved = await files.download('large.bin', patience)
    expect(await hashOf(saved)).toBe(hash)

    mkdirSync(join(folder, 'up'))
    await files.goTo(join(folder, 'up'))
    await files.upload(source)
    // The message is gone again before a busy driver has seen it.
    await expect(files.row('large.bin')).toBeVisible({ timeout: patience })
    expect(await hashOf(join(folder, 'up', 'large.bin'))).toBe(hash)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

/** No two blocks are the same: one in the place of another changes the hash. The end is no whole block. */
async function writeBlocks(path: string): Promise<void> {
  const file = await open(path, 'w')
  for (let block = 0; block < megabytes; block += 1) await file.write(Buffer.alloc(2 ** 20, `block ${block} `))
  await file.write(Buffer.from('the end'))
  await file.close()
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}
