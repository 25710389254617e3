// The accounts of a tenant, wherever they are kept: what is stored are changes, one after another, and each process has in memory
// what those that it knows have led to.

import { storage } from "#src/contract/fault.ts";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import type { RiskLevel } from "#src/contract/wire/wire.ts";
import type { Issuer } from "./issuer.ts";
import type { ClockState } from "./sandbox-clock.ts";
import { QuotaReached } from "./tenant-record.ts";
import {
  type Company,
  type KeyHolder,
  type SandboxProject,
  addStoredKey,
  companiesOf,
  makeCompanies,
  merchantKey,
  projectOf,
  storedProject,
  type StoredCompanies,
  type StoredProject,
  registrationAge,
} from "./stored-accounts.ts";
import type { MaybePromise } from "./turns.ts";
import { createTurns } from "./turns.ts";

/** With the clock: `keep` raises every age floor to the age at `from`, before the clock goes back; `forget` clears them. */
export type AgesOrder = { readonly do: "keep"; readonly from: Milliseconds } | { readonly do: "forget" };

/** What takes the place of what there was. */
export interface AccountsChange {
  readonly companies?: StoredCompanies;
  readonly project?: StoredProject;
  /** All age floors, by project id; none is 0. */
  readonly ages?: Readonly<Record<string, Milliseconds>>;
}

/** How far a process knows them. */
export interface AccountsPoint {
  /** Another one after a reset or a restore, when they begin anew; empty before the first news. */
  readonly epoch: string;
  /** Changes since then. */
  readonly count: number;
}

/** Changes from a point on. */
export interface AccountsNews extends AccountsPoint {
  /** That of the place when it had no more. */
  readonly version: string;
  readonly changes: readonly AccountsChange[];
  /** More of them are to be asked for. */
  readonly isPart?: boolean;
}

export interface AccountsPlace {
  /** Another one when something may have changed. */
  readonly version: string;
  /** What there is beyond a point; everything where that is of another epoch. */
  news(point: AccountsPoint): MaybePromise<AccountsNews>;
  /**
   * Adds a change to those of a point, and saves the clock with it.
   * @returns false where there are others already; then nothing is changed
   */
  add(point: AccountsPoint, change: AccountsChange | null, clock?: ClockState): Promise<boolean>;
  /** Null before the first save. */
  clock(): ClockState | null;
}

export class Accounts {
  readonly #place: AccountsPlace;
  readonly #issuer: Issuer;
  /** Changes of this process are made one after another. */
  readonly #turns = createTurns();
  #point: AccountsPoint = { epoch: "", count: 0 };
  /** Of the place, as it is known. */
  #version: string;
  #stored: StoredCompanies | null = null;
  #ages: Readonly<Record<string, Milliseconds>> = {};
  /** By project id. */
  readonly #projects = new Map<string, StoredProject>();
  /** By key id: integration keys and the credentials of projects. */
  readonly #keys = new Map<string, KeyHolder>();
  /** Project ids by `merchantKey`. */
  readonly #byMerchant = new Map<string, string>();

  private constructor(place: AccountsPlace, issuer: Issuer) {
    this.#place = place;
    this.#issuer = issuer;
    this.#version = place.version;
  }

  /** @param companies made where there are none */
  static async open(place: AccountsPlace, issuer: Issuer, companies: number): Promise<Accounts> {
    const opened = new Accounts(place, issuer);
    const first = { companies: makeCompanies(issuer, companies) };
    await opened.#change(() => (opened.#stored === null ? first : null));
    return opened;
  }

  /** What the keys of counters are hashed with. */
  get countingSecret(): string {
    return this.#stored!.countingSecret;
  }

  async key(keyId: string): Promise<KeyHolder | null> {
    return await this.#find(() => this.#keys.get(keyId));
  }

  async projectById(projectId: string): Promise<SandboxProject | null> {
    return await this.#find(() => this.#project(projectId));
  }

  async project(companyId: string, merchantId: string, riskLevel: RiskLevel): Promise<SandboxProject | null> {
    await this.refresh();
    const id = this.#byMerchant.get(merchantKey({ companyId, merchantId, riskLevel }));
    return (id === undefined ? undefined : this.#project(id)) ?? null;
  }

  async companies(): Promise<readonly Company[]> {
    await this.refresh();
    return companiesOf(this.#stored!);
  }

  /** The oldest first. */
  async projects(): Promise<readonly SandboxProject[]> {
    await this.refresh();
    return this.#all().toSorted((a, b) => a.registeredAt - b.registeredAt);
  }

  /**
   * Issues an integration key of a company, or makes another company with one where it is null.
   * @throws Fault `usage` beyond MOST_COMPANIES
   */
  async addKey(companyId: string | null): Promise<void> {
    await this.#change(() => {
      const companies = structuredClone(this.#stored!);
      addStoredKey(companies, this.#issuer, companyId);
      return { companies };
    });
  }

  /**
   * @param most projects that there may be
   * @returns false if the company has a project of that merchant and risk level
   * @throws QuotaReached
   */
  register(project: Omit<SandboxProject, "ageFloorMs">, most = Infinity): Promise<boolean> {
    return this.#change(() => {
      if (this.#byMerchant.has(merchantKey(project))) return null;
      if (this.#projects.size >= most) throw new QuotaReached();
      return { project: storedProject(project) };
    });
  }

  /** Null before the first save. */
  savedClock(): ClockState | null {
    return this.#place.clock();
  }

  async saveClock(clock: ClockState, order?: AgesOrder): Promise<void> {
    const ageOf = (project: SandboxProject): Milliseconds =>
      order?.do === "keep" ? registrationAge(project, order.from) : 0;
    await this.#change(() => {
      if (order === undefined) return null;
      return { ages: Object.fromEntries(this.#all().map((project) => [project.projectId, ageOf(project)])) };
    }, clock);
  }

  /** Raises one project's age floor. */
  async keepAge(projectId: string, ms: Milliseconds): Promise<void> {
    await this.#change(() => {
      const project = this.#project(projectId);
      if (project === undefined || ms <= project.ageFloorMs) return null;
      return { ages: { ...this.#ages, [projectId]: ms } };
    });
  }

  /** Takes what other processes have changed. */
  async refresh(): Promise<void> {
    let news: AccountsNews;
    do {
      news = await this.#place.news(this.#point);
      this.#take(news);
    } while (news.isPart === true);
  }

  /** @param put puts what a reset leaves in the place of what is known; false where there is more */
  async reset(
    keepProjects: boolean,
    put: (point: AccountsPoint, changes: readonly AccountsChange[]) => Promise<boolean>,
  ): Promise<void> {
    await this.refresh();
    await this.#knowing((point) => {
      const projects = keepProjects ? [...this.#projects.values()] : [];
      return put(point, [{ companies: this.#stored! }, ...projects.map((project) => ({ project }))]);
    });
  }

  /** Resolves when all changes so far have ended. */
  idle(): Promise<unknown> {
    return this.#turns.idle();
  }

  /** What is not known may be news. */
  async #find<T>(look: () => T | undefined): Promise<T | null> {
    const found = this.#version === this.#place.version ? look() : undefined;
    if (found !== undefined) return found;
    await this.refresh();
    return look() ?? null;
  }

  #project(projectId: string): SandboxProject | undefined {
    const stored = this.#projects.get(projectId);
    return stored && projectOf(stored, this.#ages[projectId]);
  }

  #all(): SandboxProject[] {
    return Array.from(this.#projects.keys(), (projectId) => this.#project(projectId)!);
  }

  /** @param make null for no change. @returns whether there was one */
  async #change(make: () => AccountsChange | null, clock?: ClockState): Promise<boolean> {
    let change: AccountsChange | null = null;
    await this.#knowing(async (point) => {
      change = make();
      if (change === null && clock === undefined) return true;
      if (!(await this.#place.add(point, change, clock))) return false;
      if (change !== null) this.#take({ ...point, version: this.#version, changes: [change] });
      return true;
    });
    return change !== null;
  }

  /** Work on what is known, once more each time that another process was first: then it gives false. */
  #knowing(work: (point: AccountsPoint) => Promise<boolean>): Promise<void> {
    return this.#turns.inTurn(async () => {
      if (this.#version !== this.#place.version) await this.refresh();
      for (let point = this.#point; !(await work(point)); point = this.#point) {
        await this.refresh();
        if (this.#point.epoch === point.epoch && this.#point.count === point.count)
          throw storage`The state has fewer accounts than it had; restore it from a backup.`;
      }
    });
  }

  /** Answers may be taken in another order than they were made in. */
  #take({ epoch, count, version, changes }: AccountsNews): void {
    this.#version = version;
    if (epoch !== this.#point.epoch) {
      if (count > 0) return;
      this.#point = { epoch, count };
      for (const each of [this.#projects, this.#keys, this.#byMerchant]) each.clear();
      this.#ages = {};
    }
    const known = this.#point.count - count;
    if (known < 0 || known >= changes.length) return;
    for (const change of changes.slice(known)) this.#apply(change);
    this.#point = { epoch, count: count + changes.length };
  }

  #apply({ companies, project, ages = this.#ages }: AccountsChange): void {
    this.#ages = ages;
    if (companies !== undefined) {
      this.#stored = companies;
      for (const { companyId, integrationKeys } of companiesOf(companies))
        for (const key of integrationKeys) this.#keys.set(key.keyId, { ...key, companyId, projectId: null });
    }
    if (project !== undefined) {
      const { projectId, companyId } = project;
      this.#projects.set(projectId, project);
      this.#byMerchant.set(merchantKey(project), projectId);
      const { credential } = projectOf(project);
      this.#keys.set(credential.keyId, { ...credential, companyId, projectId });
    }
  }
}
