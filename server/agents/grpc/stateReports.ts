import type { HostState } from '../../machines/hosts/host.ts'
import type { GrpcCall } from './grpcCall.ts'
import { grpcCodes } from './grpcStatus.ts'
import { receiptMessage } from './nezhaService.ts'
import { paceCall } from './pace.ts'
import { maxReportBytes, readState } from './readReports.ts'

/** Reports that are read: agents send one a second at most, and wait for its receipt. */
const reportRate = { burst: 60, perSecond: 5 }
/** Bytes of receipts that wait for an agent to read: it reads each before it reports again. */
const maxUnreadReceiptBytes = 512

/**
 * Reads the reports of a stream of states.
 * @param onState gets each, and what gives its receipt: the agent waits for it before it reports again
 */
export function listenToStates(call: GrpcCall, onState: (state: HostState, sendReceipt: () => void) => void): void {
  const pace = paceCall(call, reportRate)
  const sendReceipt = () => void call.send(receipt)
  call.onMessage((bytes) => {
    if (!pace.take()) return
    if (call.pendingBytes() > maxUnreadReceiptBytes) return call.end(unreadReceipts)
    onState(readState(bytes), sendReceipt)
  }, maxReportBytes)
}

const unreadReceipts = { code: grpcCodes.resourceExhausted, details: 'the receipts of this agent are not read' }

const receipt = receiptMessage.encode({ proced: true })
