import type { WebglAddon } from '@xterm/addon-webgl'
import type { Terminal } from '@xterm/xterm'
import { whenIdle } from '../../../events/whenIdle.ts'

/** Software renderers: drawing with the DOM is faster than these. */
const softwareRenderers = /swiftshader|llvmpipe|softpipe|software|basic render/i

/** Whether this browser draws on a graphics card. */
function hasGraphicsCard(): boolean {
  const options = { failIfMajorPerformanceCaveat: true }
  const context = document.createElement('canvas').getContext('webgl2', options) as WebGL2RenderingContext | null
  if (!context) return false
  const names = context.getExtension('WEBGL_debug_renderer_info')
  const name = context.getParameter(names?.UNMASKED_RENDERER_WEBGL ?? context.RENDERER)
  // Browsers keep few contexts: this one is not needed any more.
  context.getExtension('WEBGL_lose_context')?.loseContext()
  return !softwareRenderers.test(String(name))
}

let hasCard: Promise<boolean> | undefined

/** Asking takes 20 ms and more: the prompt comes first, drawn with the DOM. */
function findGraphicsCard(): Promise<boolean> {
  hasCard ??= new Promise<void>((resume) => whenIdle(resume)).then(hasGraphicsCard)
  return hasCard
}

/**
 * Draws a terminal by WebGL while it is visible. A browser has about sixteen contexts for all of its tabs and may take
 * one away at any time; then the terminal is drawn with the DOM again.
 */
export function createWebgl(terminal: Terminal) {
  let addon: WebglAddon | undefined
  let isMounted = false
  let isShown = false
  let hasFailed = false

  const drop = () => {
    addon?.dispose()
    addon = undefined
  }
  const update = async () => {
    if (!isMounted || !isShown || hasFailed) return drop()
    if (addon || !(await findGraphicsCard())) return
    const { WebglAddon } = await import('@xterm/addon-webgl')
    if (addon || !isShown || hasFailed || !terminal.element?.isConnected) return
    const next = new WebglAddon()
    next.onContextLoss(() => {
      hasFailed = true
      drop()
    })
    try {
      terminal.loadAddon(next)
      addon = next
    } catch (cause) {
      hasFailed = true
      next.dispose()
      console.warn('The terminal is drawn without WebGL.', cause)
    }
  }
  // Without the addon the terminal is drawn with the DOM.
  const tryUpdate = () => void update().catch((cause) => console.warn(cause))

  return {
    mounted: () => {
      isMounted = true
      tryUpdate()
    },
    setVisible: (shown: boolean) => {
      isShown = shown
      tryUpdate()
    },
  }
}
