//! The backend of this program's own: the store is its source of truth. What happens on a machine is done by
//! an executor (the system's `ssh`, or this machine itself), which takes queued runs out of `job_targets` and
//! writes what came of them; this type is the side of it that is rows.

use super::{
    Ability, Answer, Backend, BackendError, Capabilities, EMBEDDED, Order, PerDevice, PerPatch,
    RemoteDevice, Run,
};
use crate::model::{DepartmentId, DeviceId, JobId, SiteId, TargetStatus};
use kit::ports::Fut;
use rusqlite::{Connection, OptionalExtension, params};
use serde_json::Value;
use std::future::ready;

/// The store as a backend, at one moment.
pub struct Embedded<'a> {
    connection: &'a Connection,
    now_ms: i64,
}

impl<'a> Embedded<'a> {
    /// Over this connection. Writes belong into an open transaction of the caller.
    #[must_use]
    pub const fn new(connection: &'a Connection, now_ms: i64) -> Self {
        Self { connection, now_ms }
    }

    fn unsupported<T>(ability: Ability) -> Answer<T> {
        Err(BackendError::Unsupported {
            backend: EMBEDDED.to_owned(),
            what: ability.verb(),
        })
    }

    fn alive(&self, device: DeviceId) -> Answer<()> {
        let there: Option<bool> = self
            .connection
            .query_row(
                "SELECT deleted_ms IS NULL FROM devices WHERE id = ?1 AND backend = ?2",
                params![device, EMBEDDED],
                |r| r.get(0),
            )
            .optional()?;
        if there == Some(true) {
            Ok(())
        } else {
            Err(BackendError::NotFound)
        }
    }

    fn all(&self) -> Answer<Vec<RemoteDevice>> {
        let mut statement = self.connection.prepare_cached(
            "SELECT d.external_id, d.hostname, c.name, s.name, ifnull(u.name, ''), d.platform, d.os, d.os_version,
                    d.status, d.last_seen_ms,
                    (SELECT json_group_array(address) FROM device_addresses a WHERE a.device_id = d.id)
             FROM devices d JOIN clients c ON c.id = d.client_id JOIN sites s ON s.id = d.site_id
                  LEFT JOIN departments u ON u.id = d.department_id
             WHERE d.backend = ?1 AND d.deleted_ms IS NULL ORDER BY d.id",
        )?;
        let rows = statement.query_map([EMBEDDED], |r| {
            let addresses: String = r.get(10)?;
            Ok(RemoteDevice {
                external_id: r.get(0)?,
                hostname: r.get(1)?,
                place: [r.get(2)?, r.get(3)?, r.get(4)?],
                platform: r.get(5)?,
                os: r.get(6)?,
                os_version: r.get(7)?,
                status: r.get(8)?,
                last_seen_ms: r.get(9)?,
                addresses: serde_json::from_str(&addresses).unwrap_or_default(),
            })
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    fn queue(&self, order: &Order) -> Answer<String> {
        self.alive(order.device)?;
        let busy: bool = self.connection.query_row(
            "SELECT EXISTS (SELECT 1 FROM job_targets WHERE device_id = ?1 AND job_id <> ?2 AND status IN ('queued', 'running'))",
            params![order.device, order.job],
            |r| r.get(0),
        )?;
        if busy {
            return Err(BackendError::Busy);
        }
        let reference = format!("{}/{}", order.job, order.device);
        let queued = self.connection.execute(
            "UPDATE job_targets SET status = 'queued', queued_ms = ?3, nonce = ?4, backend_ref = ?5
             WHERE job_id = ?1 AND device_id = ?2 AND status = 'pending'",
            params![order.job, order.device, self.now_ms, order.nonce, reference],
        )?;
        if queued == 1 {
            Ok(reference)
        } else {
            Err(BackendError::Conflict("the run is not waiting".to_owned()))
        }
    }

    fn state(&self, job: JobId, device: DeviceId) -> Answer<Run> {
        self.connection
            .query_row(
                "SELECT status, exit_code, stdout, stderr, truncated FROM job_targets WHERE job_id = ?1 AND device_id = ?2",
                params![job, device],
                |r| {
                    Ok(Run {
                        status: Some(r.get(0)?),
                        exit_code: r.get(1)?,
                        stdout: r.get(2)?,
                        stderr: r.get(3)?,
                        truncated: r.get(4)?,
                    })
                },
            )
            .optional()?
            .ok_or(BackendError::NotFound)
    }

    fn stop(&self, job: JobId, device: DeviceId) -> Answer<()> {
        match self.state(job, device)?.status {
            // Not begun: it never will.
            Some(TargetStatus::Pending | TargetStatus::Queued) => {
                self.connection.execute(
                    "UPDATE job_targets SET status = 'cancelled', finished_ms = ?3 WHERE job_id = ?1 AND device_id = ?2",
                    params![job, device, self.now_ms],
                )?;
                Ok(())
            }
            // The executor sees `jobs.cancel_by` and ends the process.
            Some(TargetStatus::Running) => Ok(()),
            _ => Err(BackendError::Conflict("the run has ended".to_owned())),
        }
    }

    pub(crate) fn move_one(
        &self,
        device: DeviceId,
        site: SiteId,
        department: Option<DepartmentId>,
    ) -> Answer<()> {
        self.alive(device)?;
        let client: i64 = self
            .connection
            .query_row("SELECT client_id FROM sites WHERE id = ?1", [site], |r| {
                r.get(0)
            })
            .optional()?
            .ok_or(BackendError::NotFound)?;
        if let Some(department) = department {
            let fits: bool = self.connection.query_row(
                "SELECT EXISTS (SELECT 1 FROM departments WHERE id = ?1 AND site_id = ?2)",
                params![department, site],
                |r| r.get(0),
            )?;
            if !fits {
                return Err(BackendError::Conflict(
                    "the department is not one of this site".to_owned(),
                ));
            }
        }
        self.connection.execute(
            "UPDATE devices SET client_id = ?2, site_id = ?3, department_id = ?4, updated_ms = ?5 WHERE id = ?1",
            params![device, client, site, department, self.now_ms],
        )?;
        Ok(())
    }

    pub(crate) fn delete_one(&self, device: DeviceId) -> Answer<()> {
        self.alive(device)?;
        // The external id is freed: the same machine may be enrolled again, as a new device.
        self.connection.execute(
            "UPDATE devices SET deleted_ms = ?2, updated_ms = ?2, external_id = external_id || '#deleted-' || id, connection = '' WHERE id = ?1",
            params![device, self.now_ms],
        )?;
        Ok(())
    }
}

impl Backend for Embedded<'_> {
    fn name(&self) -> &str {
        EMBEDDED
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities::all()
    }

    fn health(&self) -> Fut<'_, Answer<()>> {
        let answer = self
            .connection
            .query_row("SELECT 1", [], |_| Ok(()))
            .map_err(BackendError::from);
        Box::pin(ready(answer))
    }

    fn devices(&self) -> Fut<'_, Answer<Vec<RemoteDevice>>> {
        Box::pin(ready(self.all()))
    }

    fn refresh(&self, _device: DeviceId) -> Fut<'_, Answer<Value>> {
        // Rows cannot collect: the executor does.
        Box::pin(ready(Self::unsupported(Ability::Run)))
    }

    fn dispatch(&self, order: &Order) -> Fut<'_, Answer<String>> {
        Box::pin(ready(self.queue(order)))
    }

    fn poll(&self, job: JobId, device: DeviceId, _reference: &str) -> Fut<'_, Answer<Run>> {
        Box::pin(ready(self.state(job, device)))
    }

    fn cancel(&self, job: JobId, device: DeviceId, _reference: &str) -> Fut<'_, Answer<()>> {
        Box::pin(ready(self.stop(job, device)))
    }

    fn install_patches(
        &self,
        device: DeviceId,
        identifiers: &[String],
    ) -> Fut<'_, Answer<Vec<PerPatch>>> {
        let claim = || -> Answer<Vec<PerPatch>> {
            self.alive(device)?;
            let mut answers = Vec::new();
            for identifier in identifiers {
                let claimed = self.connection.execute(
                    "UPDATE device_patches SET state = 'installing', changed_ms = ?3
                     WHERE device_id = ?1 AND patch_id = (SELECT id FROM patches WHERE identifier = ?2)
                       AND state = 'approved' AND approved_by <> ''",
                    params![device, identifier, self.now_ms],
                )?;
                let answer = if claimed == 1 {
                    Ok(())
                } else {
                    Err(BackendError::Denied)
                };
                answers.push(PerPatch {
                    identifier: identifier.clone(),
                    result: answer,
                });
            }
            Ok(answers)
        };
        Box::pin(ready(claim()))
    }

    fn move_devices(
        &self,
        devices: &[DeviceId],
        site: SiteId,
        department: Option<DepartmentId>,
    ) -> Fut<'_, Answer<Vec<PerDevice<()>>>> {
        let answers = devices
            .iter()
            .map(|device| PerDevice {
                device: *device,
                result: self.move_one(*device, site, department),
            })
            .collect();
        Box::pin(ready(Ok(answers)))
    }

    fn delete_devices(&self, devices: &[DeviceId]) -> Fut<'_, Answer<Vec<PerDevice<()>>>> {
        let answers = devices
            .iter()
            .map(|device| PerDevice {
                device: *device,
                result: self.delete_one(*device),
            })
            .collect();
        Box::pin(ready(Ok(answers)))
    }
}
