import { errorMessage } from '../../../src/domain/errors.ts'
import { openLink } from '../../cluster/nodeLinks.ts'
import type { Log } from '../../log.ts'
import {
  aliveMs,
  createFrameReader,
  createFrameWriter,
  type FrameWriter,
  linkProtocol,
  silentLooks,
  toLeader,
} from './linkFrames.ts'

/** The connection of a node to the one that leads, on which it tells of its agents. It is made again when it ends. */
export interface LeaderLink {
  isOpen(): boolean
  /** Whether this node has not reached the leader for as long as for silence, while that one is there for others. */
  isCut(): boolean
  /** Nothing is kept while it is not open. */
  send: FrameWriter['send']
  /** Whether so much waits for the leader that agents have to wait, and so much that nothing new may begin. */
  isFull(): boolean
  isOverfull(): boolean
  close(): void
}

interface LeaderLinkOptions {
  key: Buffer
  /** `undefined` while nobody leads. */
  leaderAddress(): string | undefined
  /** Whether others hear of the leader. */
  isLeaderAlive(): boolean
  log: Log
  onOpen(): void
  /** @param isSilent whether the leader has just fallen silent; otherwise it has ended the link, or is gone */
  onLost(isSilent: boolean): void
  /** Called when that begins, unless the leader has just fallen silent. */
  onCut(): void
  onFrame(kind: number, id: number, payload: Buffer): void
  /** Called when what made it full has left. */
  onDrain(): void
}

/** Bytes that wait for the leader, from which on agents wait, and from which on no call of them begins. */
const [fullBytes, overfullBytes] = [4 * 1024 * 1024, 64 * 1024 * 1024]

export function createLeaderLink(options: LeaderLinkOptions): LeaderLink {
  const { key, leaderAddress, isLeaderAlive, log, onOpen, onLost, onCut, onFrame, onDrain } = options
  let current: { socket: ReturnType<typeof openLink>; writer: FrameWriter; address: string } | undefined
  let isOpen = false
  let looks = 0
  /** The leader that is not reached, and for how many looks. */
  let missed: { address: string | undefined; looks: number } = { address: undefined, looks: 0 }
  let isWarned = false

  function connect(address: string): void {
    const socket = openLink(address, key, { agents: linkProtocol })
    const writer = createFrameWriter(socket)
    const read = createFrameReader(onFrame)
    let problem = 'it has ended the connection'
    current = { socket, writer, address }
    socket.once('secureConnect', () => {
      if (current?.socket !== socket) return
      isOpen = true
      looks = 0
      onOpen()
      writer.send(toLeader.alive, 0)
    })
    socket.on('data', (chunk: Buffer) => {
      looks = 0
      isWarned = false
      try {
        read(chunk)
      } catch (error) {
        problem = errorMessage(error)
        socket.destroy()
      }
    })
    socket.on('drain', onDrain)
    socket.on('error', (error) => {
      problem = errorMessage(error)
    })
    socket.once('close', () => {
      if (current?.socket !== socket) return
      if (!isWarned) log.warn(`The link to ${address}, on which this node tells of its agents, has ended: ${problem}.`)
      isWarned = true
      lose(false)
    })
  }

  function lose(isSilent: boolean): void {
    const wasOpen = isOpen
    current?.writer.close()
    current?.socket.destroy()
    current = undefined
    isOpen = false
    if (isSilent) missed = { address: leaderAddress(), looks: silentLooks }
    if (wasOpen) onLost(isSilent)
  }

  function look(): void {
    const address = leaderAddress()
    if (current && current.address !== address) lose(false)
    if (current && isOpen && ++looks > silentLooks) lose(true)
    if (current && isOpen) current.writer.send(toLeader.alive, 0)
    if (!current && address) connect(address)
    if (isOpen || address !== missed.address || !isLeaderAlive()) missed = { address, looks: 0 }
    else if (++missed.looks === silentLooks) onCut()
  }

  const waitingBytes = () => current?.writer.waitingBytes() ?? 0

  look()
  const timer = setInterval(look, aliveMs)

  return {
    isOpen: () => isOpen,
    isCut: () => missed.looks >= silentLooks,
    send: (...frame) => {
      if (isOpen) current?.writer.send(...frame)
    },
    isFull: () => waitingBytes() > fullBytes,
    isOverfull: () => waitingBytes() > overfullBytes,
    close() {
      clearInterval(timer)
      current?.writer.close()
      current?.socket.destroy()
      current = undefined
      isOpen = false
    },
  }
}
