import { act, cleanup, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { RouterProviderContext } from 'ra-core'
import { LinkBase, type RouterNavigateFunction, useBlocker, useLocation, useNavigate } from 'react-admin'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ConsoleRouter, createNavigation, routerProvider } from '../../../src/app/router/routerProvider.tsx'

const shown = () => screen.getByRole('status').textContent
const answers = () => screen.queryAllByRole('button').map(({ textContent }) => textContent)
const address = () => window.location.pathname + window.location.search
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }))
const follow = (name: string) => userEvent.click(screen.getByRole('link', { name }))

let navigate: RouterNavigateFunction

function Page({ isDirty }: { isDirty: () => boolean }) {
  const { pathname, search, state } = useLocation()
  navigate = useNavigate()
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => currentLocation.pathname !== nextLocation.pathname && isDirty(),
  )
  return (
    <>
      <output>{`${pathname}${search}${state ? ` ${JSON.stringify(state)}` : ''}`}</output>
      <LinkBase to="/two">Two</LinkBase>
      <LinkBase to={{ pathname: '/three', search: '?page=2' }} state={{ from: 'one' }}>
        Three
      </LinkBase>
      {blocker.state === 'blocked' ? (
        <>
          <button type="button" onClick={blocker.proceed}>
            Discard, go to {blocker.location.pathname}
          </button>
          <button type="button" onClick={blocker.reset}>
            Keep
          </button>
        </>
      ) : null}
    </>
  )
}

function openPage(isDirty = () => false) {
  return render(
    <ConsoleRouter navigation={createNavigation()}>
      <RouterProviderContext value={routerProvider}>
        <Page isDirty={isDirty} />
      </RouterProviderContext>
    </ConsoleRouter>,
  )
}

beforeEach(() => window.history.replaceState(null, '', '/one'))
afterEach(() => {
  cleanup()
  window.history.replaceState(null, '', '/')
})

describe('The address', () => {
  it('changes with links and calls, and each is a step of the back button', async () => {
    openPage()
    expect(shown()).toBe('/one')
    expect(screen.getByRole('link', { name: 'Three' })).toHaveProperty('href', `${window.location.origin}/three?page=2`)
    await follow('Three')
    expect([shown(), address()]).toEqual(['/three?page=2 {"from":"one"}', '/three?page=2'])
    act(() => navigate('/two', { replace: true }))
    expect(shown()).toBe('/two')
    act(() => navigate('/four'))
    expect(shown()).toBe('/four')
    window.history.back()
    await waitFor(() => expect(shown()).toBe('/two'))
    window.history.back()
    await waitFor(() => expect(shown()).toBe('/one'))
    act(() => navigate(1))
    await waitFor(() => expect(shown()).toBe('/two'))
  })

  it('keeps what a call leaves out, and what is relative begins at it', () => {
    openPage()
    act(() => navigate({ search: '?page=2' }))
    expect(shown()).toBe('/one?page=2')
    act(() => navigate('/three/four'))
    act(() => navigate('../five?q=x'))
    expect([shown(), address()]).toEqual(['/three/five?q=x', '/three/five?q=x'])
  })

  it('is changed by calls of parts that are not drawn anew when it changes', async () => {
    let drawings = 0
    function Button() {
      drawings += 1
      const navigate = useNavigate()
      return (
        <button type="button" onClick={() => navigate('/two')}>
          To two
        </button>
      )
    }
    const button = <Button />
    render(
      <ConsoleRouter navigation={createNavigation()}>
        <RouterProviderContext value={routerProvider}>
          {button}
          <Page isDirty={() => false} />
        </RouterProviderContext>
      </ConsoleRouter>,
    )
    await press('To two')
    expect(shown()).toBe('/two')
    expect(drawings).toBe(1)
  })

  it('has no second step for a link to where the page is', async () => {
    openPage()
    await follow('Two')
    const { length } = window.history
    await follow('Two')
    expect(window.history.length).toBe(length)
  })

  it('is drawn before the call returns, where the call asks for it', () => {
    openPage()
    act(() => {
      ;(navigate as (to: string, options: { flushSync: boolean }) => void)('/two', { flushSync: true })
      expect(shown()).toBe('/two')
    })
  })

  it('is left alone by clicks that open a link elsewhere', async () => {
    openPage()
    const user = userEvent.setup()
    screen.getByRole('link', { name: 'Two' }).addEventListener('click', (event) => event.preventDefault())
    await user.keyboard('{Control>}')
    await user.click(screen.getByRole('link', { name: 'Two' }))
    expect(address()).toBe('/one')
  })
})

describe('A question before the page is left', () => {
  it.each([
    ['a link', () => follow('Two')],
    ['a call', () => act(async () => navigate('/two'))],
  ])('stops %s, which goes on after a yes', async (_, leave) => {
    openPage(() => true)
    await leave()
    expect([shown(), address()]).toEqual(['/one', '/one'])
    await press('Keep')
    expect([shown(), answers()]).toEqual(['/one', []])
    await leave()
    await press('Discard, go to /two')
    expect([shown(), address(), answers()]).toEqual(['/two', '/two', []])
  })

  it('stops the back button, and goes back after a yes', async () => {
    let isDirty = false
    openPage(() => isDirty)
    await follow('Two')
    await follow('Three')
    isDirty = true
    act(() => navigate(-2))
    await screen.findByRole('button', { name: 'Discard, go to /one' })
    await waitFor(() => expect(address()).toBe('/three?page=2'))
    await press('Keep')
    expect(answers()).toEqual([])
    act(() => navigate(-2))
    await press.call(null, (await screen.findByRole('button', { name: /^Discard/ })).textContent ?? '')
    await waitFor(() => expect([shown(), address(), answers()]).toEqual(['/one', '/one', []]))
    isDirty = false
    act(() => navigate(2))
    await waitFor(() => expect(shown()).toContain('/three?page=2'))
  })

  it('is not asked where it does not apply, nor by a component that was unmounted', async () => {
    const { unmount } = openPage(() => true)
    act(() => navigate('?page=3'))
    expect(shown()).toBe('/one?page=3')
    unmount()
    openPage()
    await follow('Two')
    expect(shown()).toBe('/two')
  })
})
