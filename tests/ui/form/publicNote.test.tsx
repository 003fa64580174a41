import { screen, waitFor } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { button } from '../../support/console/listPage.ts'
import { renderConsole } from '../../support/console/renderConsole.tsx'

const open = (public_note: string) =>
  renderConsole({ path: '/dashboard/server/1', records: { server: [{ name: 'web-1', uuid: 'u-1', public_note }] } })

describe('The public note of a server', () => {
  it('is a form when it has the known shape, and other fields are not lost', async () => {
    const { user, storedRows } = await open(
      '{"billingDataMod":{"amount":"5","cycle":"Decade","own":[1]},"beyond":true}',
    )
    const amount = await screen.findByRole('textbox', { name: 'Amount' })
    expect(screen.getByRole('combobox', { name: 'Billing cycle' })).toHaveProperty('value', 'Decade')
    await user.clear(amount)
    await user.type(amount, '6')
    await user.click(screen.getByRole('switch', { name: 'Never expires' }))
    await user.click(button('Save'))
    await waitFor(() =>
      expect(JSON.parse(String(storedRows('server')[0]?.public_note))).toEqual({
        billingDataMod: { amount: '6', cycle: 'Decade', own: [1], endDate: '0000-00-00T23:59:59+08:00' },
        beyond: true,
      }),
    )
  })

  it('of any other kind is text, which never prevents saving', async () => {
    const { user, storedRows } = await open('{"billingDataMod":')
    const text = await screen.findByRole('textbox', { name: /^Public note/ })
    expect(screen.getByRole('button', { name: 'Form' })).toHaveProperty('disabled', true)
    await user.type(text, ' rest')
    await user.click(button('Save'))
    await waitFor(() => expect(storedRows('server')[0]?.public_note).toBe('{"billingDataMod": rest'))
  })
})
