import type { CheckResult } from './checkResult.ts'

/** Milliseconds to wait; live metrics come every 2 s. */
const timeout = 7_000

/** Opens the WebSocket of the live metrics and waits for the second frame. Never rejects. */
export function checkSocket(isSignedIn: boolean, Socket: typeof WebSocket = WebSocket): Promise<CheckResult> {
  return new Promise((resolve) => {
    const opened = performance.now()
    let [wasOpen, frames, first] = [false, 0, 0]
    let timer: ReturnType<typeof setTimeout> | undefined
    const { protocol, host } = window.location
    const socket = new Socket(`${protocol === 'https:' ? 'wss' : 'ws'}://${host}/api/v1/ws/server`)
    const finish = (result: Omit<CheckResult, 'check'>) => {
      clearTimeout(timer)
      socket.onopen = socket.onmessage = socket.onclose = null
      socket.close()
      resolve({ check: 'socket', ...result })
    }
    const giveUp = () => {
      if (frames > 0) return finish({ health: 'bad', outcome: 'socket_stopped', proxyConfig: 'sockets' })
      if (wasOpen) return finish({ health: 'bad', outcome: 'socket_silent', proxyConfig: 'sockets' })
      const outcome = isSignedIn ? 'socket_refused' : 'socket_refused_anonymous'
      finish({ health: isSignedIn ? 'bad' : 'warning', outcome, proxyConfig: 'sockets' })
    }
    timer = setTimeout(giveUp, timeout)
    socket.onopen = () => {
      wasOpen = true
    }
    socket.onmessage = () => {
      frames += 1
      if (frames === 1) first = performance.now()
      if (frames < 2) return
      const seconds = Math.round((performance.now() - first) / 100) / 10
      finish({ health: 'good', outcome: 'socket_good', values: { seconds, open: Math.round(first - opened) } })
    }
    socket.onclose = giveUp
  })
}
