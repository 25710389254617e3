// The vault's lock: its state, the time until it locks, and the passphrase prompt.

import { createStore } from "zustand/vanilla";
import type { Context } from "#src/app/context.ts";
import { Fault, whole } from "#src/contract/fault.ts";
import { Secret } from "#src/contract/secret.ts";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import type { KeyName } from "#src/display/key-name.ts";
import { faultOf, reportFaults } from "#src/state/report-faults.ts";
import type { Session } from "#src/state/session.ts";
import { afterTimeout, type After } from "#src/state/timers.ts";

type Vault = Awaited<ReturnType<Context["vault"]>>;

/** What opens the vault. */
export type VaultProtection = Awaited<ReturnType<Vault["protection"]>>;

export interface VaultLockState {
  /** Null until the vault was read. */
  readonly protection: VaultProtection | null;
  readonly locked: boolean;
  /** A passphrase was given and is being tried. */
  readonly unlocking: boolean;
  /** Time until it locks itself, in ms, while that is near and shown; else null. */
  readonly locksIn: Milliseconds | null;
}

/** Why something that needs the vault cannot be done. */
export const vaultLocked = (keyName: KeyName): string =>
  `The vault is locked; press ${keyName("lock.unlock")} to unlock it.`;
/** From here on the time that is left is shown. */
export const LOCK_NEAR_MS: Milliseconds = 5 * 60_000;

const lockedByItself = (keyName: KeyName): string =>
  `The vault has locked itself; press ${keyName("lock.unlock")} to unlock it.`;
const TICK_MS: Milliseconds = 1_000;
/** Interval of checks whether the lock is near; each use postpones it. */
const LOOK_MS: Milliseconds = 30_000;

/** True where there is a passphrase, and therefore something to lock. */
export function hasPassphrase({ protection }: VaultLockState): boolean {
  return protection === "passphrase" || protection === "passphrase_command";
}

/** The part of the lock that a caller needs before it uses a secret. */
export type VaultGate = Pick<VaultLock, "isOpen" | "open">;

/** True when the vault is open, if need be after asking. */
export async function isOpened(lock: VaultGate | undefined): Promise<boolean> {
  return lock === undefined || lock.isOpen() || lock.open();
}

export function createVaultLock(context: Context, session: Session, after: After = afterTimeout) {
  let vault: Vault | null = null;
  let opening: Promise<boolean> | null = null;
  let watching = 0;
  let byUser = false;
  let closed = false;
  let cancelTick: (() => void) | null = null;
  let stopListening: () => void = () => undefined;
  /** The prompt for the passphrase that is open. */
  let asking: object | null = null;
  const store = createStore<VaultLockState>(() => ({
    protection: null,
    locked: false,
    unlocking: false,
    locksIn: null,
  }));
  const { getState, setState } = store;

  async function look(): Promise<Vault> {
    if (vault === null) {
      vault = await context.vault();
      stopListening = vault.onLockChange((state) => {
        setState({ locked: state === "locked" });
        if (state === "locked" && !byUser) session.say(lockedByItself(session.keyName), "note");
        tick();
      });
    }
    const protection = await vault.protection();
    setState({ protection, locked: vault.lockState() === "locked" });
    tick();
    return vault;
  }

  /** Once a second while the end is near, and else once when it comes near. */
  function tick(): void {
    cancelTick?.();
    cancelTick = null;
    const left = watching === 0 || vault === null ? null : vault.locksIn();
    const near = left !== null && left <= LOCK_NEAR_MS;
    const shown = near ? left : null;
    if (shown !== getState().locksIn) setState({ locksIn: shown });
    const counts = watching > 0 && vault?.lockState() === "open" && hasPassphrase(getState());
    if (!counts) return;
    cancelTick = after(near ? TICK_MS : Math.min(LOOK_MS, (left ?? Infinity) - LOCK_NEAR_MS), tick);
  }

  async function openNow(): Promise<boolean> {
    try {
      const held = await look();
      await held.ensureOpen();
      return held.lockState() === "open";
    } catch (error) {
      const { message } = faultOf(error);
      session.say(message, message === vaultLocked(session.keyName) ? "note" : "error");
      return false;
    } finally {
      // Later calls ask again.
      opening = null;
      setState({ unlocking: false, locked: vault?.lockState() === "locked" });
    }
  }

  return {
    store,
    /** Reads the state of the vault without opening it. Never rejects. */
    async load() {
      await reportFaults(session, look);
    },
    /** True where nothing has to be asked before a secret is used. */
    isOpen: () => vault !== null && vault.lockState() === "open",
    /** Opens the vault, by its command or by asking once; concurrent calls share the answer. @returns whether it is open */
    open() {
      opening ??= openNow();
      return opening;
    },
    /** Asks for the passphrase; for the context of the console. Rejects with Fault("vault_locked") when the user does not give it. */
    async ask(problem: string | null): Promise<Secret> {
      const refused = new Fault("vault_locked", whole(vaultLocked(session.keyName)));
      if (closed) throw refused;
      setState({ unlocking: false });
      if (problem !== null) session.say(problem, "error");
      const label = problem === null ? "Passphrase of the vault:" : "Passphrase of the vault, once more:";
      const mine = { label, masked: true };
      asking = mine;
      const passphrase = await session.askUntil(mine);
      if (asking === mine) asking = null;
      if (passphrase === null) throw refused;
      setState({ unlocking: true });
      return new Secret(passphrase);
    },
    /** Locks now; nothing where a key file protects the vault. Before the vault was opened there is nothing to lock. */
    lock() {
      // A half-typed passphrase is discarded, too.
      if (asking !== null) session.closePrompt();
      if (vault === null) return;
      byUser = true;
      vault.lock();
      byUser = false;
    },
    /** The time that is left is shown from now on. @returns to be called when it is not any more */
    watch() {
      watching += 1;
      tick();
      return () => {
        watching -= 1;
        tick();
      };
    },
    close() {
      closed = true;
      watching = 0;
      tick();
      stopListening();
      if (asking !== null) session.closePrompt();
    },
  };
}

export type VaultLock = ReturnType<typeof createVaultLock>;
