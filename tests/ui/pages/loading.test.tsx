import '@testing-library/jest-dom/vitest'
import { act, cleanup, render, screen } from '@testing-library/react'
import { I18nContextProvider } from 'react-admin'
import { afterEach, expect, it, vi } from 'vitest'
import { createI18nProvider } from '../../../i18n/index.ts'
import { Loading } from '../../../src/components/Panel.tsx'

afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

it('a page that loads for a second says so, and one that is there earlier does not', async () => {
  const i18nProvider = await createI18nProvider('de-DE')
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const { container } = render(
    <I18nContextProvider value={i18nProvider}>
      <Loading />
    </I18nContextProvider>,
  )
  act(() => vi.advanceTimersByTime(999))
  expect(container.textContent).toBe('')
  act(() => vi.advanceTimersByTime(1))
  expect(screen.getByRole('progressbar')).toBeVisible()
  expect(container.textContent).toContain(i18nProvider.translate('ra.page.loading'))
  expect(container.textContent).toContain(i18nProvider.translate('ra.message.loading'))
})
