import type { WebglAddon } from '@xterm/addon-webgl'
import type { Terminal } from '@xterm/xterm'

/** Programs that pretend to be a graphics card: drawing in the page costs less than asking them. */
const pretenders = /swiftshader|llvmpipe|softpipe|software|basic render/i

/** Whether this browser draws on a graphics card. */
function hasGraphicsCard(): boolean {
  const options = { failIfMajorPerformanceCaveat: true }
  const context = document.createElement('canvas').getContext('webgl2', options) as WebGL2RenderingContext | null
  if (!context) return false
  const names = context.getExtension('WEBGL_debug_renderer_info')
  const name = context.getParameter(names?.UNMASKED_RENDERER_WEBGL ?? context.RENDERER)
  // Browsers keep few contexts: this one is not needed any more.
  context.getExtension('WEBGL_lose_context')?.loseContext()
  return !pretenders.test(String(name))
}

let hasCard: boolean | undefined

/**
 * Draws a terminal on the graphics card while it is shown. A browser has about sixteen contexts for all of its tabs,
 * and takes them away when it likes; then the terminal is drawn in the page again.
 */
export function createWebgl(terminal: Terminal) {
  let addon: WebglAddon | undefined
  let isMounted = false
  let isShown = false
  let isSpoilt = false

  const drop = () => {
    addon?.dispose()
    addon = undefined
  }
  const update = async () => {
    if (!isMounted || !isShown || isSpoilt) return drop()
    hasCard ??= hasGraphicsCard()
    if (addon || !hasCard) return
    const { WebglAddon } = await import('@xterm/addon-webgl')
    if (addon || !isShown || isSpoilt || !terminal.element?.isConnected) return
    const next = new WebglAddon()
    next.onContextLoss(() => {
      isSpoilt = true
      drop()
    })
    try {
      terminal.loadAddon(next)
      addon = next
    } catch (cause) {
      isSpoilt = true
      next.dispose()
      console.warn('The terminal is drawn without the graphics card.', cause)
    }
  }
  // A part that cannot be fetched is done without.
  const tryUpdate = () => void update().catch((cause) => console.warn(cause))

  return {
    mounted: () => {
      isMounted = true
      tryUpdate()
    },
    show: (shown: boolean) => {
      isShown = shown
      tryUpdate()
    },
  }
}
