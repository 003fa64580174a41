import os from 'node:os'

/**
 * Loaded into servers under test, before them: the account that they run as has an empty home there. Shells and files
 * are the real ones, but what the person who tests has in their profile neither slows a shell down nor waits for a lock
 * that a killed one left behind.
 */
const home = process.env.TEST_HOME
const account = os.userInfo()
if (home) os.userInfo = (() => ({ ...account, homedir: home })) as typeof os.userInfo
