import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, it } from 'vitest'
import { button } from '../../support/console/listPage.ts'
import { renderConsole } from '../../support/console/renderConsole.tsx'

const note = '{"billingDataMod":{"amount":"60EUR","cycle":"Year"},"planDataMod":{"trafficVol":"2TB","trafficType":"1"}}'

const open = (record: object) =>
  renderConsole({ path: '/dashboard/server/1', records: { server: [{ name: 'web-1', uuid: 'u-1', ...record }] } })

const unfold = async () => fireEvent.click(await screen.findByRole('heading', { name: 'Contract' }))

it('takes the contract of a server over from its public note, and saves what is changed', async () => {
  const { user, storedRows } = await open({ public_note: note })
  await unfold()
  await user.click(await screen.findByRole('button', { name: 'Take over from public note' }))
  const quota = await screen.findByRole('textbox', { name: 'Traffic included' })
  expect(quota).toHaveProperty('value', '2 TB')
  await user.clear(quota)
  await user.type(quota, '1,5 TiB')
  await user.clear(screen.getByRole('textbox', { name: 'Day of reset' }))
  await user.type(screen.getByRole('textbox', { name: 'Day of reset' }), '31')
  fireEvent.change(screen.getByLabelText('Ends on'), { target: { value: '2027-03-01' } })
  await user.click(button('Save'))
  await waitFor(() =>
    expect(storedRows('server')[0]?.contract).toEqual({
      price: 60,
      currency: 'EUR',
      cycle: 'year',
      ends_at: '2027-03-01T23:59:59Z',
      renews: false,
      quota_bytes: 1.5 * 1024 ** 4,
      quota_counts: 'out',
      resets_on: 31,
      zone: '',
      provider: '',
      note: '',
      former_prices: [],
    }),
  )
})

it('says at the field what is wrong with a contract', async () => {
  const { user } = await open({ contract: null })
  await unfold()
  await user.click(await screen.findByRole('button', { name: 'Add contract' }))
  await user.type(await screen.findByRole('textbox', { name: 'Traffic included' }), 'much')
  await user.type(screen.getByRole('textbox', { name: 'Currency' }), 'euro')
  await user.click(button('Save'))
  expect(await screen.findByText('Must be a code of three letters, such as EUR')).toBeDefined()
  expect(screen.getByText('Must be a number')).toBeDefined()
})

it('keeps what a server cost when its price changes, from a day or not at all', async () => {
  const contract = { price: 5, currency: 'EUR', cycle: 'month', ends_at: '', former_prices: [] }
  const { user, storedRows } = await open({ contract })
  await unfold()
  const price = await screen.findByRole('textbox', { name: 'Price' })
  await user.clear(price)
  const today = () => new Date().toISOString().slice(0, 10)
  const before = today()
  await user.type(price, '6')
  const from = await screen.findByLabelText<HTMLInputElement>(/^New price from/)
  // It may be midnight.
  expect([before, today()]).toContain(from.value)
  fireEvent.change(from, { target: { value: '2026-03-01' } })
  await user.click(button('Save'))
  const former = { price: 5, currency: 'EUR', cycle: 'month', until: '2026-03-01T00:00:00Z' }
  await waitFor(() => expect(storedRows('server')[0]?.contract).toMatchObject({ price: 6, former_prices: [former] }))
})

it('corrects a price that was wrong, and takes former ones away', async () => {
  const former = { price: 4, currency: 'EUR', cycle: 'month', until: '2026-01-01T00:00:00Z' }
  const contract = { price: 5, currency: 'EUR', cycle: 'month', ends_at: '', former_prices: [former] }
  const { user, storedRows } = await open({ contract })
  await unfold()
  await screen.findByText('€4.00')
  const price = await screen.findByRole('textbox', { name: 'Price' })
  await user.clear(price)
  await user.type(price, '6')
  fireEvent.change(await screen.findByLabelText(/^New price from/), { target: { value: '' } })
  await user.click(screen.getByRole('button', { name: 'Remove' }))
  await user.click(button('Save'))
  await waitFor(() => expect(storedRows('server')[0]?.contract).toMatchObject({ price: 6, former_prices: [] }))
})
