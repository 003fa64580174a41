import type { WebSocket } from 'ws'
import { type RecordedMessage, readSocketRecording } from './socketRecording.ts'

/** Milliseconds between two frames of live metrics. */
const tick = 2000

/** Sends the frames of live metrics as they were recorded, and the last one for as long as anybody listens. */
export function playServers(socket: WebSocket): void {
  const frames = readSocketRecording('ws-server-admin').flatMap(({ opcode, text }) => (opcode === 'text' ? [text] : []))
  let at = 0
  const send = () => socket.send(frames[Math.min(at++, frames.length - 1)] ?? '')
  send()
  const timer = setInterval(send, tick)
  socket.on('close', () => clearInterval(timer))
}

/** What was sent, and what came back until the next was sent. */
interface Turn {
  out: RecordedMessage | undefined
  back: RecordedMessage[]
}

function turnsOf(file: string): Turn[] {
  const turns: Turn[] = [{ out: undefined, back: [] }]
  for (const message of readSocketRecording(file)) {
    if (message.dir === 'out') turns.push({ out: message, back: [] })
    else turns.at(-1)?.back.push(message)
  }
  return turns
}

function play(socket: WebSocket, messages: readonly RecordedMessage[]): void {
  for (const { opcode, hex } of messages) {
    if (opcode === 'binary' && hex) socket.send(Buffer.from(hex, 'hex'))
    // The recorded server never says why it closes: the browser sees 1006.
    if (opcode === 'close') socket.terminate()
  }
}

/** A shell that knows the lines that were typed in the recording, and its prompt. */
export function playTerminal(socket: WebSocket, onUnknown: (what: string) => void): void {
  const turns = turnsOf('ws-terminal-session')
  let typed = ''
  let isSized = false
  play(socket, turns[0]?.back ?? [])
  socket.on('message', (data: Buffer, isBinary) => {
    if (isBinary && data[0] === 1) {
      // The recording has one resize, whose answer is a new prompt.
      if (!isSized) play(socket, turns.find(({ out }) => out?.hex?.startsWith('01'))?.back ?? [])
      isSized = true
      return
    }
    if (isBinary) return onUnknown(`a binary terminal frame ${data.toString('hex')}`)
    typed += data.toString()
    if (!typed.endsWith('\r')) return
    const turn = turns.find(({ out }) => out?.opcode === 'text' && out.text === typed)
    if (!turn) onUnknown(`typed ${JSON.stringify(typed)}`)
    typed = ''
    play(socket, turn?.back ?? [])
  })
}

const requests = ['ws-file-list', 'ws-file-download-small-and-errors']
const uploaded = Buffer.from('NZUP')

/** The files of the recorded machine: what was asked there can be asked here, and anything can be uploaded. */
export function playFiles(
  socket: WebSocket,
  onUnknown: (what: string) => void,
  onUpload: (upload: Upload) => void,
): void {
  const turns = requests.flatMap(turnsOf)
  let upload: (Upload & { size: number }) | undefined
  const take = (data: Buffer) => {
    if (!upload) return
    upload.content = Buffer.concat([upload.content, data])
    if (upload.content.length < upload.size) return
    onUpload(upload)
    upload = undefined
    socket.send(uploaded)
  }
  socket.on('message', (data: Buffer) => {
    if (upload) return take(data)
    if (data[0] === 2) {
      upload = { path: data.subarray(9).toString(), size: Number(data.readBigUInt64BE(1)), content: Buffer.alloc(0) }
      return take(Buffer.alloc(0))
    }
    const hex = data.toString('hex')
    const turn = turns.find(({ out }) => out?.hex === hex)
    if (!turn) onUnknown(`a file request ${hex}`)
    play(socket, turn?.back ?? [])
  })
}

export interface Upload {
  path: string
  content: Buffer
}
