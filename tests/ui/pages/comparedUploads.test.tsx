import { ThemeProvider } from '@mui/material/styles'
import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { CoreAdminContext, testDataProvider } from 'react-admin'
import { afterEach, expect, it, vi } from 'vitest'
import { createI18nProvider } from '../../../i18n/index.ts'
import { Toasts } from '../../../src/components/messages/Toasts.tsx'
import { theme } from '../../../src/components/theme/theme.ts'
import { rawFromText } from '../../../src/custom/files/transfer/remotePath.ts'
import { type Compare, useTransfers } from '../../../src/custom/files/transfer/useTransfers.ts'
import { useOpenedFiles } from '../../../src/custom/files/useFileSession.ts'
import { FakeMachine, workInPage } from '../../support/server/testMachine.ts'

const folder = rawFromText('/home/ann')

function Uploads({ names, compare }: { names: readonly string[]; compare: Compare }) {
  const { session } = useOpenedFiles(7)
  const transfers = useTransfers({
    serverId: 7,
    session,
    path: folder,
    makeFolders: undefined,
    compare,
    resumable: undefined,
    onChange: () => {},
  })
  const files = names.map((name) => ({ path: name, file: new File([name], name) }))
  return (
    <>
      <button type="button" onClick={() => void transfers.upload(files)}>
        Upload
      </button>
      <button type="button" onClick={transfers.cancel}>
        Cancel
      </button>
      <p>{transfers.transfer ? 'under way' : 'at rest'}</p>
      {transfers.failed.map(({ message }) => (
        <p key={message}>{message}</p>
      ))}
    </>
  )
}

async function show(names: readonly string[], compare: Compare) {
  const translator = await createI18nProvider('en-US')
  await translator.complete()
  workInPage(new FakeMachine({ '/home/ann/there.txt': '' }))
  const call = async () => ({ session_id: 's' })
  render(
    <CoreAdminContext i18nProvider={translator} dataProvider={testDataProvider({ call } as never)}>
      <ThemeProvider theme={theme}>
        <Uploads names={names} compare={compare} />
        <Toasts />
      </ThemeProvider>
    </CoreAdminContext>,
  )
  const user = userEvent.setup({ delay: null })
  await user.click(screen.getByRole('button', { name: 'Upload' }))
  return user
}

afterEach(cleanup)

it('a machine that does not say what has arrived holds up nobody: Cancel ends the wait', async () => {
  let asked = 0
  const user = await show(['a.txt'], () => {
    asked += 1
    return new Promise(() => {})
  })
  await vi.waitFor(() => expect(asked).toBe(1))
  await user.click(screen.getByRole('button', { name: 'Cancel' }))
  await screen.findByText('at rest')
  expect(await screen.findByText('1 file uploaded')).toBeTruthy()
})

it('what differs there is named, and what could not be compared is not said to be', async () => {
  await show(['a.txt', 'b.txt'], async (path) => !path.endsWith('a.txt'))
  expect(await screen.findByText(/^a\.txt: what has arrived differs/)).toBeTruthy()
  cleanup()
  await show(['a.txt', 'b.txt'], async (path) => (path.endsWith('a.txt') ? true : undefined))
  expect(await screen.findByText('2 files uploaded')).toBeTruthy()
})
