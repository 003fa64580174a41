import type { Conversation } from './textConnection.ts'

/** The lines of one reply of SMTP or FTP, as `250-first`, `250 last`. */
export async function smtpReply(talk: Conversation): Promise<string> {
  const lines = await talk.lines((line, index) => /^\d{3}(?!-)/.test(line) || (index === 0 && !/^\d{3}-/.test(line)))
  return lines.join('\n')
}
