import { screen, waitFor } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { button } from '../../support/console/listPage.ts'
import { renderConsole } from '../../support/console/renderConsole.tsx'

const { code } = vi.hoisted(() => ({ code: Promise.withResolvers<void>() }))

vi.mock('../../../src/engine/kinds/ChipsInput.tsx', async (importOriginal) => {
  await code.promise
  return importOriginal()
})

it('a form says that its fields are being fetched, and cannot be saved meanwhile', async () => {
  const { user, network } = await renderConsole({ path: '/dashboard/ddns/create' })
  await screen.findByRole('progressbar', { name: 'Loading' })
  expect(button('Save')).toHaveProperty('disabled', true)
  button('Cancel').focus()
  await user.keyboard('{Control>}{Enter}{/Control}')
  code.resolve()
  await screen.findByRole('textbox', { name: /^Name/ })
  await waitFor(() => expect(button('Save')).toHaveProperty('disabled', false))
  expect(screen.queryByText('Required')).toBeNull()
  expect(network.sent.filter(({ method }) => method !== 'GET')).toEqual([])
})
