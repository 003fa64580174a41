import { parentPort, workerData } from 'node:worker_threads'
import { compareSync } from 'bcryptjs'
import type { BcryptOrder } from './verifyBcrypt.ts'

/** Verifies one password, and says whether it is right. `verifyBcrypt` starts it as a thread. */
const { password, hash }: BcryptOrder = workerData
parentPort?.postMessage(compareSync(password, hash))
