import '@testing-library/jest-dom/vitest'
import { act, cleanup, fireEvent, screen, within } from '@testing-library/react'
import { useNotify } from 'react-admin'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { emptyBrowser, stubMatchMedia } from '../../support/console/pageServer.ts'
import { showLayout } from '../../support/console/showLayout.tsx'

beforeEach(() => stubMatchMedia())

afterEach(() => {
  cleanup()
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
  emptyBrowser()
})

describe('toasts', () => {
  function Notifier() {
    const notify = useNotify()
    return (
      <>
        <button type="button" onClick={() => notify('app.action.copied', { type: 'success' })}>
          succeed
        </button>
        {[1, 2, 3, 4].map((number) => (
          <button key={number} type="button" onClick={() => notify(`disk ${number} is full`, { type: 'error' })}>
            fail {number}
          </button>
        ))}
      </>
    )
  }

  const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }))
  const toasts = () => within(screen.getByRole('region', { name: 'Notifications' }))

  const pass = (seconds: number) => act(() => void vi.advanceTimersByTime(seconds * 1000))
  const cardOf = (text: string) => toasts().getByText(text).closest('[data-type]') as Element

  it('of success disappear after four seconds, unless they are hovered', async () => {
    await showLayout({ children: <Notifier /> })
    vi.useFakeTimers()
    press('succeed')
    expect(toasts().getByText('Copied')).toBeVisible()
    pass(3.9)
    fireEvent.pointerEnter(cardOf('Copied'))
    pass(60)
    expect(toasts().getByText('Copied')).toBeVisible()
    fireEvent.pointerLeave(cardOf('Copied'))
    pass(4.1)
    expect(toasts().queryByText('Copied')).toBeNull()
  })

  it('of errors are announced with the title Error, can be copied and dismissed', async () => {
    const user = await showLayout({ children: <Notifier /> })
    press('fail 1')
    const toast = within(toasts().getByRole('alert'))
    expect(toast.getByText('Error')).toBeVisible()
    await user.click(toast.getByRole('button', { name: 'Copy' }))
    expect(await navigator.clipboard.readText()).toBe('disk 1 is full')
    fireEvent.click(toast.getByRole('button', { name: 'Dismiss' }))
    expect(toasts().queryByRole('alert')).toBeNull()
  })

  it('of errors disappear later, never while they have the focus or are hovered', async () => {
    await showLayout({ children: <Notifier /> })
    vi.useFakeTimers()
    press('fail 1')
    pass(14)
    const dismiss = within(toasts().getByRole('alert')).getByRole('button', { name: 'Dismiss' })
    act(() => dismiss.focus())
    fireEvent.pointerEnter(cardOf('disk 1 is full'))
    pass(600)
    // One of the two is enough to keep it.
    fireEvent.pointerLeave(cardOf('disk 1 is full'))
    pass(600)
    expect(toasts().getByText('disk 1 is full')).toBeVisible()
    act(() => dismiss.blur())
    pass(16)
    expect(toasts().queryByText('disk 1 is full')).toBeNull()
  })

  it('do not disappear while nobody can see them', async () => {
    await showLayout({ children: <Notifier /> })
    vi.useFakeTimers()
    for (const number of [1, 2, 3, 4]) press(`fail ${number}`)
    const visibility = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
    fireEvent(document, new Event('visibilitychange'))
    pass(600)
    visibility.mockReturnValue('visible')
    fireEvent(document, new Event('visibilitychange'))
    expect(toasts().getByText('disk 4 is full')).toBeVisible()
    pass(16)
    // The oldest had no place among the three, and is shown now.
    expect(toasts().queryByText('disk 4 is full')).toBeNull()
    expect(toasts().getByText('disk 1 is full')).toBeVisible()
    pass(16)
    expect(toasts().queryByRole('alert')).toBeNull()
  })

  it('are three at most; an older error reappears when a newer one is dismissed', async () => {
    await showLayout({ children: <Notifier /> })
    for (const number of [1, 2, 3, 4]) press(`fail ${number}`)
    expect(toasts().getAllByRole('alert')).toHaveLength(3)
    expect(toasts().getByText('disk 1 is full')).not.toBeVisible()
    fireEvent.click(within(toasts().getAllByRole('alert')[2] as HTMLElement).getByRole('button', { name: 'Dismiss' }))
    expect(toasts().getByText('disk 1 is full')).toBeVisible()
  })

  it('are replaced by a repeated message', async () => {
    await showLayout({ children: <Notifier /> })
    press('fail 1')
    press('fail 2')
    press('fail 1')
    const toastTexts = () =>
      toasts()
        .getAllByRole('alert')
        .map((toast) => within(toast).getByText(/disk/).textContent)
    expect(toastTexts()).toEqual(['disk 2 is full', 'disk 1 is full'])
    fireEvent.click(toasts().getAllByRole('button', { name: 'Dismiss' })[1] as HTMLElement)
    expect(toastTexts()).toEqual(['disk 2 is full'])
  })
})
