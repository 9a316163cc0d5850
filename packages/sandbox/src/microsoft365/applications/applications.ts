import { resourceNotFound } from '../wire/refusals.ts';
import type { Application, PermissionGrant, ServicePrincipal } from './application.ts';
import { graphAppId, permissionId, permissionName, sharePointAppId } from './permissions.ts';

/** Applications registered in a tenant, what it lets in, and what they are allowed. */
export class Applications {
  /** Permissions of SharePoint itself, by the application's id. */
  readonly sharePoint = new Map<string, ReadonlySet<string>>();
  readonly applications = new Map<string, Application>();
  readonly servicePrincipals = new Map<string, ServicePrincipal>();
  readonly grants = new Map<string, PermissionGrant>();
  /** Requests for which an object stays unknown after its creation: the visible effect of the vendor's replication. */
  replicationAttempts = 0;
  private readonly attemptsLeft = new Map<string, number>();
  /** The service principal of Microsoft Graph. */
  readonly graph: ServicePrincipal;

  constructor(newId: () => string, nowMs: number) {
    const id = newId();
    const displayName = 'Microsoft Graph';
    this.graph = { id, appId: graphAppId, createdMs: nowMs, displayName, properties: {}, assignments: [] };
    this.servicePrincipals.set(id, this.graph);
    this.addSharePoint(`${id.slice(0, -1)}${id.endsWith('0') ? '1' : '0'}`, nowMs);
  }

  /** As a tenant has it that has sites. Its id is made of another one, so that those of what comes later stay as they are. */
  private addSharePoint(id: string, createdMs: number): void {
    const displayName = 'Office 365 SharePoint Online';
    const principal = { id, appId: sharePointAppId, createdMs, displayName, properties: {}, assignments: [] };
    this.servicePrincipals.set(id, principal);
  }

  addApplication(application: Application): void {
    this.applications.set(application.id, application);
    this.attemptsLeft.set(application.id, this.replicationAttempts);
  }

  addServicePrincipal(principal: ServicePrincipal): void {
    this.servicePrincipals.set(principal.id, principal);
    this.attemptsLeft.set(principal.id, this.replicationAttempts);
  }

  /** Whether a created object has not been replicated everywhere yet. Every call counts as an attempt. */
  isReplicating(id: string): boolean {
    const left = this.attemptsLeft.get(id) ?? 0;
    if (left > 0) this.attemptsLeft.set(id, left - 1);
    return left > 0;
  }

  /** @throws GraphError 404 also while the application has not arrived everywhere */
  application(id: string): Application {
    const application = this.applications.get(id);
    if (!application || this.isReplicating(id)) throw resourceNotFound(id);
    return application;
  }

  /** @throws GraphError 404 also while the service principal has not arrived everywhere */
  servicePrincipal(id: string): ServicePrincipal {
    const principal = this.servicePrincipals.get(id);
    if (!principal || this.isReplicating(id)) throw resourceNotFound(id);
    return principal;
  }

  giveOfSharePoint(appId: string, name: string): void {
    this.sharePoint.set(appId, new Set([...(this.sharePoint.get(appId) ?? []), name]));
  }

  findByAppId(appId: string): Application | undefined {
    return this.applications.values().find((application) => application.appId === appId);
  }

  findPrincipalByAppId(appId: string): ServicePrincipal | undefined {
    return this.servicePrincipals.values().find((principal) => principal.appId === appId);
  }

  /** Application permissions of Microsoft Graph that were consented to. */
  permissionsOf(appId: string): Set<string> {
    const assignments = this.findPrincipalByAppId(appId)?.assignments ?? [];
    const ofGraph = assignments.filter(({ resourceId }) => resourceId === this.graph.id);
    return new Set(ofGraph.flatMap(({ appRoleId }) => permissionName(appRoleId) ?? []));
  }

  /** Gives a service principal application permissions, as an administrator's consent does. */
  consent(principal: ServicePrincipal, names: readonly string[], newId: () => string, nowMs: number): void {
    for (const name of names) {
      const appRoleId = permissionId(name);
      if (!appRoleId) throw new Error(`There is no application permission ${name}`);
      const resourceId = this.graph.id;
      principal.assignments.push({ id: newId(), appRoleId, createdMs: nowMs, principalId: principal.id, resourceId });
    }
  }
}
