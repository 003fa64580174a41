import { connect } from 'node:net'
import type { AgentTraits } from '../agentVersions.ts'
import type { SessionStream } from './attach.ts'

const frameBytes = 10_240

/** Connects to a target in the agent's network and relays bytes; what the target closes ends with the text `EOF`. */
export function openTunnel(stream: SessionStream, host: string, { endsGracefully }: AgentTraits): void {
  const [, name = '', port] = /^\[?(.*?)\]?:(\d+)$/.exec(host) ?? []
  const socket = connect({ host: name, port: Number(port ?? 80), allowHalfOpen: true })
  let isConnected = false
  // Bytes that arrive before the connection wait in the socket.
  stream.onFrame((frame) => {
    if (!socket.write(frame)) stream.pause()
  })
  socket.on('drain', () => stream.resume())
  socket.on('connect', () => {
    isConnected = true
  })
  socket.on('data', (bytes) => {
    for (let at = 0; at < bytes.length; at += frameBytes) {
      if (!stream.send(bytes.subarray(at, at + frameBytes))) socket.pause()
    }
  })
  stream.onDrain(() => socket.resume())
  socket.on('end', () => {
    stream.send(Buffer.from('EOF'))
    stream.halfClose()
  })
  socket.on('error', () => {
    stream.halfClose()
    if (!isConnected && endsGracefully) stream.cancel()
  })
  stream.onEnd(() => socket.destroy())
}
