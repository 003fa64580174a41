import { expect, it } from 'vitest'
import { sharePath } from '../../../src/domain/app/webManifest.ts'
import { takeShare } from '../../../src/serviceWorker/share.ts'
import { discardShared, keepShared, sharedFiles } from '../../../src/storage/sharedFiles.ts'
import { fakeIndexedDb } from '../../support/fakes/fakeIndexedDb.ts'

const [first, second] = ['1 2026', '2 2026'] as const
const names = async (account: string) => (await sharedFiles(account)).map(({ file }) => file.name)

it('a share is of whoever looks first: when a session ends without a sign-out, the next person does not get it', async () => {
  fakeIndexedDb()
  await keepShared([new File(['x'], 'letter.pdf')])
  expect(await names(first)).toEqual(['letter.pdf'])
  expect(await names(first)).toEqual(['letter.pdf'])
  expect(await names(second)).toEqual([])
  expect(await names(first)).toEqual([])
})

it('what is shared while others are uploaded stays', async () => {
  fakeIndexedDb()
  await keepShared([new File(['x'], 'first')])
  const uploaded = await sharedFiles(first)
  await keepShared([new File(['y'], 'later')])
  await discardShared(uploaded)
  expect(await names(first)).toEqual(['later'])
})

it('files of one name do not take the place of each other in the folder', async () => {
  fakeIndexedDb()
  await keepShared([new File(['x'], 'image.jpg'), new File(['y'], 'image.jpg'), new File(['z'], '.profile')])
  await keepShared([new File(['zz'], 'image.jpg'), new File(['z'], '.profile')])
  expect((await sharedFiles(first)).map(({ file }) => [file.name, file.size])).toEqual([
    ['image.jpg', 1],
    ['image (2).jpg', 1],
    ['.profile', 1],
    ['image (3).jpg', 2],
    ['.profile (2)', 1],
  ])
})

it('a page that sends files by the form of a share puts none of them outside of the chosen folder', async () => {
  fakeIndexedDb()
  const form = new FormData()
  for (const name of [
    '../../root/.ssh/authorized_keys',
    'C:\\Windows\\x.dll',
    '/etc/cron.d/job',
    'a/..',
    '.',
    'notes.txt',
  ])
    form.append('shared_files', new File(['x'], name, { type: 'text/plain' }), name)
  const request = { url: `https://console.example.org${sharePath}`, formData: async () => form } as Request
  const reply = await takeShare(request)
  expect(reply.headers.get('location')).toBe(`https://console.example.org${sharePath}`)
  expect(await names(first)).toEqual(['authorized_keys', 'x.dll', 'job', 'notes.txt'])
})
