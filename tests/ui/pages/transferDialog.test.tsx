import { ThemeProvider } from '@mui/material/styles'
import { act, render, screen } from '@testing-library/react'
import { CoreAdminContext } from 'react-admin'
import { expect, it } from 'vitest'
import { createI18nProvider } from '../../../i18n/index.ts'
import { theme } from '../../../src/components/theme/theme.ts'
import { TransferDialog } from '../../../src/custom/files/dialogs/TransferDialogs.tsx'
import { useTransferDialog } from '../../../src/custom/files/transfer/useTransferDialog.ts'

let moves: ReturnType<ReturnType<typeof useTransferDialog>['movesOf']>

function Dialog() {
  const { transfer, run, movesOf, cancel } = useTransferDialog()
  const begin = () =>
    run({ kind: 'upload', name: 'big.bin', index: 1, count: 1 }, (signal) => {
      moves = movesOf({ kind: 'upload', name: 'big.bin', index: 1, count: 1 }, signal)
      return new Promise(() => {})
    })
  return (
    <>
      <button type="button" onClick={() => void begin()}>
        Begin
      </button>
      {transfer ? <TransferDialog transfer={transfer} onCancel={cancel} /> : null}
    </>
  )
}

it('the dialog of a transfer says that what has arrived is compared, and how far', async () => {
  const translator = await createI18nProvider('en-US')
  await translator.complete()
  render(
    <CoreAdminContext i18nProvider={translator}>
      <ThemeProvider theme={theme}>
        <Dialog />
      </ThemeProvider>
    </CoreAdminContext>,
  )
  act(() => screen.getByRole('button', { name: 'Begin' }).click())
  const MiB = 2 ** 20
  act(() => moves.onCompare(64 * MiB, 256 * MiB))
  await screen.findByText('Comparing what has arrived…')
  expect(screen.getByRole('progressbar').getAttribute('aria-valuenow')).toBe('25')
  screen.getByText(/^64 MiB of 256 MiB · 25%/)

  act(() => moves.onProgress(260 * MiB, 520 * MiB))
  expect(screen.queryByText('Comparing what has arrived…')).toBeNull()
  screen.getByText(/^260 MiB of 520 MiB · 50%/)
  expect(moves.signal.aborted).toBe(false)
  act(() => screen.getByRole('button', { name: 'Cancel' }).click())
  expect(moves.signal.aborted).toBe(true)
})
