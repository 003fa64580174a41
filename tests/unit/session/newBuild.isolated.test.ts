// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

const { reload } = vi.hoisted(() => ({ reload: vi.fn() }))
vi.mock('../../../src/session/navigation.ts', () => ({ reloadPage: reload }))

const page = (entry: string) => `<!doctype html><script type="module" src="/dashboard/assets/${entry}"></script>`

/** A tab that was built from `index-a.js`; its server answers with what `served` gives. */
async function openTab(served: () => Response) {
  vi.resetModules()
  document.head.innerHTML = page('index-a.js')
  vi.stubGlobal('fetch', async () => served())
  const build = await import('../../../src/site/newBuild.ts')
  const follow = vi.spyOn(window, 'addEventListener')
  build.reloadAfterUpdates()
  const [[name, listener] = []] = follow.mock.calls as unknown as [string, EventListener][]
  follow.mockRestore()
  stop = () => window.removeEventListener(name ?? '', listener as EventListener)
  return build
}

let stop = () => {}
const missChunk = async () => {
  window.dispatchEvent(new Event('vite:preloadError'))
  await new Promise((resolve) => setTimeout(resolve, 10))
}

beforeEach(() => sessionStorage.clear())

afterEach(() => {
  stop()
  vi.unstubAllGlobals()
  vi.clearAllMocks()
})

describe('A chunk that cannot be fetched', () => {
  it('after an update loads the page anew, once for each build', async () => {
    let newest = 'index-b.js'
    await openTab(() => new Response(page(newest)))
    await missChunk()
    await missChunk()
    expect(reload).toHaveBeenCalledTimes(1)
    newest = 'index-c.js'
    await missChunk()
    expect(reload).toHaveBeenCalledTimes(2)
  })

  it('after an update is reported, and not reloaded, while a form has unsaved changes', async () => {
    const build = await openTab(() => new Response(page('index-b.js')))
    const object = (event: Event) => event.preventDefault()
    const onNewBuild = vi.fn()
    build.subscribeToNewBuild(onNewBuild)
    window.addEventListener('beforeunload', object)
    await missChunk()
    window.removeEventListener('beforeunload', object)
    expect(reload).not.toHaveBeenCalled()
    expect(build.isConsoleOutdated()).toBe(true)
    expect(onNewBuild).toHaveBeenCalledOnce()
  })

  it('after an update is reported, and not reloaded over and over, in a browser that forbids storage', async () => {
    const build = await openTab(() => new Response(page('index-b.js')))
    const storage = vi.spyOn(window, 'sessionStorage', 'get').mockImplementation(() => {
      throw new DOMException('Access is denied for this document.', 'SecurityError')
    })
    await missChunk()
    storage.mockRestore()
    expect(reload).not.toHaveBeenCalled()
    expect(build.isConsoleOutdated()).toBe(true)
  })

  it.each([
    ['while the console is the same', () => new Response(page('index-a.js'))],
    ['while the server is away', () => Promise.reject(new TypeError('fetch failed')) as never],
    ['while a proxy answers for the server', () => new Response('<h1>Bad Gateway</h1>', { status: 502 })],
  ])('%s leaves the page alone', async (_, served) => {
    const build = await openTab(served)
    await missChunk()
    expect(reload).not.toHaveBeenCalled()
    expect(build.isConsoleOutdated()).toBe(false)
  })
})
