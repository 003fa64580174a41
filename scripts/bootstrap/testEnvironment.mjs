import { delimiter, dirname } from 'node:path'

/** Variables that tests do not get: an operator's settings, and what would turn React into its production build. */
const withheld = ['NODE_ENV', 'PORT', 'HOST', 'DATA_DIR', 'ADMIN_PASSWORD', 'PUBLIC_URL', 'REAL_IP_HEADER']

/**
 * @param {NodeJS.ProcessEnv} env
 * @param {string} node the Node that a test gets when it starts `node`
 * @param {string} compileCache the folder of `compileCacheFolder`
 * @returns {NodeJS.ProcessEnv}
 */
export function testEnvironment(env, node, compileCache) {
  const passedOn = Object.entries(env).filter(([name]) => !withheld.includes(name))
  return {
    ...Object.fromEntries(passedOn),
    PATH: `${dirname(node)}${delimiter}${env.PATH ?? ''}`,
    NODE_COMPILE_CACHE: compileCache,
  }
}
